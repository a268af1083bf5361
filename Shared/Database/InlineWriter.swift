import Synchronization

/// Commits each call on its own, on the caller's thread: for simulations and for tools.
package final class InlineWriter: DatabaseWriter {
    /// Nil once it is stopped.
    private let connection: Mutex<Connection?>

    package init(_ connection: sending Connection) {
        self.connection = Mutex(connection)
    }

    package func write<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Result
    ) async throws -> Result {
        try connection.withLock { connection in
            guard let connection else { throw CancellationError() }
            return try connection.transaction { try body(connection) }
        }
    }

    package func stop() {
        connection.withLock { $0 = nil }
    }
}
