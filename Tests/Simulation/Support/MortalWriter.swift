import BasketDatabase

/// Tells of each of its commits: whoever hears that may end the process that has asked for it.
struct MortalWriter: DatabaseWriter {
    private let writer: any DatabaseWriter
    private let committed: @Sendable () -> Void

    init(_ writer: any DatabaseWriter, committed: @escaping @Sendable () -> Void) {
        self.writer = writer
        self.committed = committed
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Result
    ) async throws -> Result {
        let result = try await writer.write(body)
        committed()
        return result
    }

    func stop() {
        writer.stop()
    }
}
