import BasketDatabase
import BasketSupport
import Synchronization

/// Everything that the server keeps, but for large contents: accounts, domains, items, versions and
/// the order of their changes. All rules are here; whoever answers requests only translates.
package final class Store: Sendable {
    package let hub = ChangeHub()
    package let world: World
    private let writer: any DatabaseWriter
    private let readers: ReaderPool
    private let stamps: Stamps
    /// Counts the commits of other processes.
    let foreignVersion = Mutex(0)

    /// - Parameter writer: the only one of this file; the schema is up to date behind it.
    package init(path: String, writer: any DatabaseWriter, world: World) async throws {
        self.world = world
        self.writer = writer
        readers = ReaderPool(path: path)
        let reserved = try readers.read { try $0.value("SELECT reserved FROM server") ?? Int64(0) }
        stamps = Stamps(StampSource(after: reserved, seed: world.randomUInt64()))
        try await write { try $0.nameServer() }
        // From here on: a command may come before anybody has looked for the first time.
        let version = try await dataVersion()
        foreignVersion.withLock { $0 = version }
    }

    /// Opens the data folder's database with a writer of its own thread.
    package static func open(
        _ path: String, groupLimit: Int = 256, world: World,
        whenLost: @escaping @Sendable (SQLiteError) -> Never = { fatalError("\($0)") }
    ) async throws -> Store {
        let writer = try await GroupCommitWriter(groupLimit: groupLimit, whenLost: whenLost) {
            try Self.openConnection(path)
        }
        return try await Store(path: path, writer: writer, world: world)
    }

    /// The connection that a writer works on, with the schema brought up to date.
    package static func openConnection(_ path: String) throws -> Connection {
        let connection = try Connection(path: path, mode: .writer)
        try connection.migrate(Schema.migrations)
        return connection
    }

    /// Refuses a file from a newer Basket, for those who read it without a store.
    package static func requireKnownSchema(_ db: Connection) throws {
        try db.requireKnownSchema(Schema.migrations)
    }

    /// Ends the writer after what was asked for before, and closes idle connections.
    package func close() {
        writer.stop()
        readers.closeIdle()
    }

    /// Reads one committed state, on the caller's thread: for look-ups that take microseconds.
    package func read<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        try readers.read(body)
    }

    /// Reads that may take long: one state for all of them, stopped when the task is cancelled.
    package func readAtLength<Result: Sendable>(
        _ body: (Connection) throws -> Result
    ) async throws -> Result {
        try await readers.readInterruptibly(body)
    }

    /// Changes the store: as a whole or not at all, answered once it is durable. What has to let go of much
    /// history first is tried again when there is room for it.
    package func write<Result: Sendable>(
        as identity: Identity? = nil, _ body: @escaping @Sendable (Transaction) throws -> Result
    ) async throws -> Result {
        while true {
            do {
                return try await writeOnce(as: identity, body)
            } catch let need as RoomNeeded {
                try await makeRoom(need)
            }
        }
    }

    /// What must not be taken for the end of a part of a transaction: `write` does all of it again.
    package static func isTriedAgain(_ error: any Error) -> Bool {
        error is RoomNeeded
    }

    /// In steps, in between of which others write.
    private func makeRoom(_ need: RoomNeeded) async throws {
        var missing = need.bytes
        while missing > 0 {
            try Task.checkCancellation()
            let rest = missing
            let step = try await writeOnce(as: nil) { try $0.reclaim(rest, from: need.scope) }
            missing -= step.freed
            // What was empty frees nothing, and is out of the way of what does.
            guard step.dropped == 0 else { continue }
            // The rest is what the transaction itself makes history of. If not even a part was there, the
            // books tell of what is not, and to try again would go on for ever.
            guard missing < need.bytes else {
                throw StoreError.insufficientQuota(needed: need.bytes, available: 0)
            }
            return
        }
    }

    private func writeOnce<Result: Sendable>(
        as identity: Identity?, _ body: @escaping @Sendable (Transaction) throws -> Result
    ) async throws -> Result {
        try await writer.write { [self] db in
            let now = world.now()
            try reserveNumbers(db, at: now)
            let transaction = Transaction(db, identity: identity, now: now, stamps: stamps)
            let result = try body(transaction)
            try transaction.settle(telling: hub)
            try reserveNumbers(db, at: now)
            return result
        }
    }

    /// Before numbers are minted, and once more after a transaction that minted very many.
    private func reserveNumbers(_ db: Connection, at now: Timestamp) throws {
        guard stamps.with({ $0.isShort(at: now) }),
            let stored = try db.value("SELECT reserved FROM server", of: Int64.self),
            let reservation = stamps.with({ $0.reservation(stored: stored, at: now) })
        else { return }
        try db.run("UPDATE server SET reserved = ?", reservation)
        db.afterCommit { [stamps] in stamps.with { $0.hold(reservation) } }
    }
}

extension Transaction {
    /// Names the data folder on its first day.
    func nameServer() throws {
        guard try db.value("SELECT id FROM server", of: Int64.self) == nil else { return }
        try db.run(
            "INSERT INTO server (id, name, created, reserved) VALUES (1, ?, ?, ?)", newName(), now,
            newNumber())
    }
}
