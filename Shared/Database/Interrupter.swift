import CSQLite

/// Stops a connection's work from another thread.
package struct Interrupter: @unchecked Sendable {
    // Unchecked: `sqlite3_interrupt` may be called from any thread while the connection is open,
    // and `connection` is only held here to keep it open.
    private let connection: Connection
    private let handle: OpaquePointer

    init(connection: Connection, handle: OpaquePointer) {
        self.connection = connection
        self.handle = handle
    }

    package func interrupt() {
        sqlite3_interrupt(handle)
    }
}
