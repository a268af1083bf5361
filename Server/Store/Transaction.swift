import BasketDatabase
import BasketModels
import BasketSupport

/// One change of the store, on the writer's connection: everything in it happens, or nothing. The
/// rules of items, domains and accounts are its extensions.
package final class Transaction {
    package let db: Connection
    /// Who does this; nil for the server itself.
    package let identity: Identity?
    package let now: Timestamp
    private let stamps: Stamps
    private var ledgers: [Int64: Ledger] = [:]
    private var occurred: [StoreEvent] = []

    /// What this transaction does to a domain's row, written once, at its end.
    private struct Ledger {
        let epoch: Int64
        let committedRank: Int64
        var changes = false
        var used: Int64 = 0
        var history: Int64 = 0
        var items: Int64 = 0

        /// Everything that one transaction changes bears the same rank.
        var rank: Int64 { changes ? committedRank + 1 : committedRank }
    }

    init(
        _ db: Connection, identity: Identity?, now: Timestamp, stamps: Stamps
    ) {
        self.db = db
        self.identity = identity
        self.now = now
        self.stamps = stamps
    }

    /// A new number for an item, a version, a device.
    func newNumber() -> Int64 {
        stamps.with { $0.next(at: now) }
    }

    /// A name for a server or an epoch: never given again, by no copy of this server either.
    func newName() -> Int64 {
        stamps.with { $0.name() }
    }

    /// Leaves behind all numbers that another copy of this server may have given.
    func leapAhead() throws {
        let stored = try db.value("SELECT reserved FROM server", of: Int64.self) ?? 0
        let reservation = stamps.with { $0.leap(beyond: stored, at: now) }
        try db.run("UPDATE server SET reserved = ?", reservation)
    }

    /// The rank that everything changed in this transaction bears.
    func rank(in domain: Domain) throws -> Int64 {
        var ledger = try ledger(of: domain)
        ledger.changes = true
        ledgers[domain.id] = ledger
        return ledger.rank
    }

    /// Counts bytes and items in and out.
    func account(
        _ domain: Domain, used: Int64 = 0, history: Int64 = 0, items: Int64 = 0
    ) throws {
        var ledger = try ledger(of: domain)
        ledger.used += used
        ledger.history += history
        ledger.items += items
        ledgers[domain.id] = ledger
    }

    /// What this transaction has counted so far, and the domain's row does not tell yet.
    func pendingUsage(of domain: Int64) -> (used: Int64, history: Int64) {
        (ledgers[domain]?.used ?? 0, ledgers[domain]?.history ?? 0)
    }

    /// Has listeners told once the transaction has committed.
    func tell(_ event: StoreEvent) {
        occurred.append(event)
    }

    /// A part that may fail without the rest.
    package func attempt<Result>(_ body: () throws -> Result) throws -> Result {
        let before = (ledgers, occurred)
        do {
            return try db.transaction(body)
        } catch {
            (ledgers, occurred) = before
            throw error
        }
    }

    /// Writes the domains' rows. Called once, by whoever opened the transaction.
    func settle(telling hub: ChangeHub) throws {
        for (domain, ledger) in ledgers.sorted(by: { $0.key < $1.key }) {
            try db.run(
                """
                UPDATE domain SET rank = ?, used = used + ?, history = history + ?,
                    items = items + ? WHERE id = ?
                """, ledger.rank, ledger.used, ledger.history, ledger.items, domain)
            if ledger.changes {
                occurred.append(
                    .changed(domain: domain, Anchor(epoch: ledger.epoch, rank: ledger.rank)))
            }
        }
        guard !occurred.isEmpty else { return }
        db.afterCommit { [occurred] in
            for event in occurred { hub.publish(event) }
        }
    }

    /// Begins where the database is, not where the caller's `domain` is: that may have been read
    /// before somebody else's commit, and a rank that is given twice would hide a change. In a domain
    /// that was deleted meanwhile nothing changes any more.
    private func ledger(of domain: Domain) throws -> Ledger {
        if let ledger = ledgers[domain.id] { return ledger }
        let stored = try db.first(
            "SELECT epoch, rank FROM domain WHERE id = ? AND deleted IS NULL", domain.id
        ) { row throws(SQLiteError) in
            Ledger(epoch: row.integer(0), committedRank: row.integer(1))
        }
        guard let stored else { throw StoreError.noSuchDomain(domain.name) }
        return stored
    }
}
