import BasketSupport
import Testing

/// Runs tests on threads of their own: they wait for sockets and processes, and would keep the few
/// threads that all other tests share.
struct Aside: SuiteTrait, TestScoping {
    private static let threads = ThreadPool(name: "end-to-end", threads: 4)

    func provideScope(
        for test: Test, testCase: Test.Case?,
        performing body: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(Self.threads) { try await body() }
    }
}

extension Trait where Self == Aside {
    static var aside: Self { Aside() }
}
