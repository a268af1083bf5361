import BasketDatabase
import BasketSupport

/// Takes a moment after some of its commits, in which other things happen: a process can die between two
/// transactions of one task.
struct SteppingWriter: DatabaseWriter {
    private let writer: any DatabaseWriter
    private let executor: SimulationExecutor

    init(_ writer: any DatabaseWriter, _ executor: SimulationExecutor) {
        self.writer = writer
        self.executor = executor
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Result
    ) async throws -> Result {
        let result = try await writer.write(body)
        if executor.random(3) == 0 {
            // It is done, whoever does not want it any more.
            try? await executor.sleep(.milliseconds(executor.random(20)))
        }
        return result
    }

    func stop() {
        writer.stop()
    }
}
