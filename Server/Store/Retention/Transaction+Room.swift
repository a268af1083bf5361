import BasketDatabase
import BasketModels
import BasketSupport

extension Transaction {
    /// So much history goes in one transaction at the most.
    private static let mostReclaimed = 256

    /// Called after so many bytes were counted in: makes sure that the domain and its owner still
    /// hold no more than they may. History makes room, the oldest first, before anybody is refused;
    /// also the version that was the current one a moment ago.
    func makeRoom(for bytes: Int64, in domain: Domain) throws {
        guard bytes > 0, domain.quota != nil || domain.ownerQuota != nil else { return }
        for scope in [RoomScope.domain(domain.id), .owner(domain.owner)] {
            guard let quota = scope.isDomain ? domain.quota : domain.ownerQuota else { continue }
            let usage = try usage(of: scope)
            // Nothing is let go of in vain.
            let missing = usage.total - usage.history - quota
            guard missing <= 0 else {
                throw StoreError.insufficientQuota(
                    needed: bytes, available: max(0, bytes - missing))
            }
            let excess = usage.total - quota
            guard excess > 0 else { continue }
            if try reclaim(excess, from: scope).freed < excess {
                throw RoomNeeded(scope: scope, bytes: excess)
            }
        }
    }

    /// Lets history go, the oldest first, until so many bytes are free, or as much as one transaction
    /// may.
    func reclaim(_ bytes: Int64, from scope: RoomScope) throws -> RetentionStep {
        var step = RetentionStep()
        var domains: [Int64: Domain] = [:]
        for entry in try oldestHistory(of: scope) where step.freed < bytes {
            if domains[entry.domain] == nil {
                domains[entry.domain] = try serverView(of: entry.domain)
            }
            guard let domain = domains[entry.domain] else { continue }
            step.freed +=
                try entry.isVersion
                ? drop(version: Version(rawValue: entry.id), in: domain)
                : purgeContents(of: ItemID(rawValue: entry.id), in: domain)
            step.dropped += 1
        }
        return step
    }

    /// What the domains hold, with what this transaction has done so far.
    private func usage(of scope: RoomScope) throws -> (total: Int64, history: Int64) {
        let domains = try usages(of: scope)
        let history = domains.reduce(0) { $0 + $1.history }
        return (domains.reduce(history) { $0 + $1.used }, history)
    }

    private func usages(
        of scope: RoomScope
    ) throws -> [(domain: Int64, used: Int64, history: Int64)] {
        let stored = try db.all(
            "SELECT id, used, history FROM domain WHERE \(scope.column) = ? AND deleted IS NULL",
            scope.number
        ) { row throws(SQLiteError) in
            (id: row.integer(0), used: row.integer(1), history: row.integer(2))
        }
        return stored.map { domain in
            let pending = pendingUsage(of: domain.id)
            return (domain.id, domain.used + pending.used, domain.history + pending.history)
        }
    }

    /// The oldest that there is in the domains together, from those that hold any.
    private func oldestHistory(of scope: RoomScope) throws -> [HistoryEntry] {
        var oldest: [HistoryEntry] = []
        for (domain, _, history) in try usages(of: scope) where history > 0 {
            oldest += try db.all(
                """
                SELECT 0, id, deleted FROM item INDEXED BY item_reclaimed
                WHERE domain = ? AND \(Self.isPurgeable) ORDER BY deleted, id LIMIT ?
                """, domain, Self.mostReclaimed
            ) { row throws(SQLiteError) in try HistoryEntry(row, domain: domain) }
            oldest += try db.all(
                """
                SELECT 1, id, superseded FROM version INDEXED BY version_reclaimed
                WHERE domain = ? AND conflict = 0 AND size > 0 ORDER BY superseded, id LIMIT ?
                """, domain, Self.mostReclaimed
            ) { row throws(SQLiteError) in try HistoryEntry(row, domain: domain) }
        }
        return Array(oldest.sorted().prefix(Self.mostReclaimed))
    }
}

extension Connection {
    /// How much more the domain and its owner could hold if all history made room; nil without a
    /// quota, below nothing where a quota was lowered.
    package func mostRoom(in domain: Domain) throws -> Int64? {
        var room = domain.quota.map { $0 - domain.used }
        if let quota = domain.ownerQuota {
            let used: Int64 =
                try value("SELECT sum(used) FROM domain WHERE owner = ?", domain.owner) ?? 0
            room = min(room ?? .max, quota - used)
        }
        return room
    }
}

/// An earlier version, or a tombstone that still holds something.
private struct HistoryEntry: Comparable {
    let isVersion: Bool
    let id: Int64
    let since: Int64
    let domain: Int64

    init(_ row: borrowing Row, domain: Int64) throws(SQLiteError) {
        isVersion = try row[0]
        id = row.integer(1)
        since = row.integer(2)
        self.domain = domain
    }

    static func < (left: HistoryEntry, right: HistoryEntry) -> Bool {
        (left.since, left.isVersion ? 1 : 0, left.id)
            < (right.since, right.isVersion ? 1 : 0, right.id)
    }
}
