import Synchronization

/// Connections for reading beside the writer. Each is used by one call at a time; there are as many
/// as threads ever read at once, and `idleLimit` of them are kept open.
package final class ReaderPool: @unchecked Sendable {
    // Unchecked: connections are not Sendable. Each is taken out of `idle` by one call, under the
    // lock, and is back in it only after the call's last use.
    private struct Idle {
        var connections: [Connection] = []
    }

    private let lock = Mutex(())
    private var idle = Idle()
    private let path: String
    private let cacheBytes: Int
    private let idleLimit: Int

    package init(path: String, cacheBytes: Int = 4 << 20, idleLimit: Int = 12) {
        self.path = path
        self.cacheBytes = cacheBytes
        self.idleLimit = idleLimit
    }

    /// Calls `body` with a connection of its own, on the caller's thread. All that it reads is one
    /// state: what is committed meanwhile shows in the next call.
    package func read<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        let connection = try take()
        defer { giveBack(connection) }
        return try connection.snapshot { try body(connection) }
    }

    /// The same for queries that may take long: they stop when the task is cancelled.
    package func readInterruptibly<Result: Sendable>(
        _ body: (Connection) throws -> Result
    ) async throws -> Result {
        let connection = try take()
        defer { giveBack(connection) }
        let interrupter = Interrupter()
        return try await withTaskCancellationHandler {
            try Task.checkCancellation()
            return try connection.snapshot {
                try connection.interruptibly(by: interrupter) { try body(connection) }
            }
        } onCancel: {
            interrupter.interrupt()
        }
    }

    /// Closes what is idle: before the file is replaced or removed.
    package func closeIdle() {
        let closing = lock.withLock { _ in
            defer { idle.connections = [] }
            return Unchecked(value: idle.connections)
        }
        _ = closing
    }

    private func take() throws -> Connection {
        let kept = lock.withLock { _ in Unchecked(value: idle.connections.popLast()) }
        if let connection = kept.value { return connection }
        return try Connection(path: path, mode: .reader, cacheBytes: cacheBytes)
    }

    private func giveBack(_ connection: Connection) {
        // Whoever was interrupted at its very end would read yesterday's state for ever.
        guard !connection.isInTransaction else { return }
        let offered = Unchecked(value: connection)
        lock.withLock { _ in
            if idle.connections.count < idleLimit { idle.connections.append(offered.value) }
        }
    }
}

/// Carries a connection over the border of a lock.
private struct Unchecked<Value>: @unchecked Sendable {
    let value: Value
}
