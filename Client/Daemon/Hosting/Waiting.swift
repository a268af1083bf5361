import BasketSupport

/// Threads for what blocks, and tasks that wait for them.
enum Waiting {
    /// Does what blocks for long on a thread of its own.
    static func onThread<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { done in
            Thread(name: "waiting") { done.resume(with: Swift.Result(catching: body)) }.detach()
        }
    }

    /// Returns when the first of them ends; the others go on.
    static func forFirst(of bodies: (@Sendable () -> Void)...) async {
        let ends = AsyncStream<Void> { continuation in
            for body in bodies {
                Thread(name: "waiting") {
                    body()
                    continuation.yield()
                }.detach()
            }
        }
        for await _ in ends { return }
    }
}
