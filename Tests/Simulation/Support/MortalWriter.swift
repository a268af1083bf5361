import BasketDatabase

/// Tells of each of its commits: whoever hears that may end the process that has asked for it, and says so.
struct MortalWriter: DatabaseWriter {
    private let writer: any DatabaseWriter
    private let committed: @Sendable () -> Bool

    init(_ writer: any DatabaseWriter, committed: @escaping @Sendable () -> Bool) {
        self.writer = writer
        self.committed = committed
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Result
    ) async throws -> Result {
        let result = try await writer.write(body)
        // Whoever is dead comes no further than this.
        if committed() { await Task.yield() }
        return result
    }

    func stop() {
        writer.stop()
    }
}
