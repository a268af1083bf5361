import BasketSupport
import Testing

/// What the tests of a suite share: one server, for as long as the suite runs.
struct Stage: SuiteTrait, TestScoping {
    let options: [String]

    @TaskLocal private static var current: ServerProcess?

    /// The suite's server.
    static var server: ServerProcess {
        get throws {
            guard let current else { throw Failure("the suite has no .server trait") }
            return current
        }
    }

    func provideScope(
        for test: Test, testCase: Test.Case?,
        performing body: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let server = try ServerProcess(options)
        defer { server.kill() }
        try await Self.$current.withValue(server) { try await body() }
    }
}

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

extension Trait where Self == Stage {
    static var server: Self { Stage(options: []) }

    static func server(_ options: String...) -> Self { Stage(options: options) }
}

extension Trait where Self == Aside {
    static var aside: Self { Aside() }
}
