import BasketDatabase
import Synchronization

/// Commits each call on its own, with one failure in one of them.
final class FaultyWriter: DatabaseWriter {
    private let connection: Mutex<Connection>
    private let fault: Fault

    init(_ connection: sending Connection, _ fault: Fault) {
        self.connection = Mutex(connection)
        self.fault = fault
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Result
    ) async throws -> Result {
        try connection.withLock { db in
            try fault.arm(db)
            do {
                return try db.transaction {
                    let result = try body(db)
                    // All was done, and the commit fails.
                    if fault.step(.commits) { throw SQLiteError("this commit fails") }
                    return result
                }
            } catch {
                try fault.noteFailure(error, db)
                throw error
            }
        }
    }

    func stop() {}
}
