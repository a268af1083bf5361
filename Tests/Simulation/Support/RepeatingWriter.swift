import BasketDatabase

/// Undoes each transaction once before it is done, as happens to those that share a commit with one that fails.
struct RepeatingWriter: DatabaseWriter {
    private struct Undone: Error {}

    private let writer: InlineWriter

    init(_ writer: InlineWriter) {
        self.writer = writer
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Result
    ) async throws -> Result {
        do {
            try await writer.write { connection in
                _ = try body(connection)
                throw Undone()
            }
        } catch is Undone {
            // It is done in earnest below; what failed fails again there.
        } catch {}
        return try await writer.write(body)
    }

    func stop() {
        writer.stop()
    }
}
