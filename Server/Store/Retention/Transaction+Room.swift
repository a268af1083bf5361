import BasketDatabase
import BasketModels

extension Transaction {
    /// Called after so many bytes were counted in: makes sure that the domain and its owner still
    /// hold no more than they may. History makes room, the oldest first, before anybody is refused;
    /// also the version that was the current one a moment ago.
    func makeRoom(for bytes: Int64, in domain: Domain) throws {
        guard bytes > 0, domain.quota != nil || domain.ownerQuota != nil else { return }
        var missing: Int64 = 0
        for scope in [RoomScope.domain(domain.id), .owner(domain.owner)] {
            guard let quota = scope.isDomain ? domain.quota : domain.ownerQuota else { continue }
            let excess = try usage(of: scope).total - quota
            guard excess > 0 else { continue }
            try reclaim(excess, from: scope)
            missing = max(missing, try usage(of: scope).total - quota)
        }
        guard missing <= 0 else {
            throw StoreError.insufficientQuota(needed: bytes, available: max(0, bytes - missing))
        }
    }

    /// What the domains hold, with what this transaction has done so far.
    private func usage(of scope: RoomScope) throws -> (total: Int64, history: Int64) {
        let stored = try db.all(
            "SELECT id, used, history FROM domain WHERE \(scope.column) = ?", scope.number
        ) { row throws(SQLiteError) in
            (id: row.integer(0), used: row.integer(1), history: row.integer(2))
        }
        var total: Int64 = 0
        var history: Int64 = 0
        for domain in stored {
            let pending = pendingUsage(of: domain.id)
            history += domain.history + pending.history
            total += domain.used + pending.used + domain.history + pending.history
        }
        return (total, history)
    }

    /// Lets history go, the oldest first, until so many bytes are free or none is left.
    private func reclaim(_ bytes: Int64, from scope: RoomScope) throws {
        var freed: Int64 = 0
        var domains: [Int64: Domain] = [:]
        // Without history there is nothing to look for: a full domain refuses at once.
        while freed < bytes, try usage(of: scope).history > 0 {
            let oldest = try oldestHistory(of: scope)
            if oldest.isEmpty { return }
            for entry in oldest where freed < bytes {
                if domains[entry.domain] == nil {
                    domains[entry.domain] = try serverView(of: entry.domain)
                }
                guard let domain = domains[entry.domain] else { continue }
                freed +=
                    try entry.isVersion
                    ? drop(version: Version(rawValue: entry.id), in: domain)
                    : purgeContents(of: ItemID(rawValue: entry.id), in: domain)
            }
        }
    }

    private func oldestHistory(of scope: RoomScope) throws -> [HistoryEntry] {
        let isInScope =
            scope.isDomain
            ? "item.domain = ?1"
            : "item.domain IN (SELECT id FROM domain WHERE owner = ?1 AND deleted IS NULL)"
        return try db.all(
            """
            SELECT 0 AS is_version, id, domain, deleted AS since FROM item
                WHERE +\(isInScope) AND \(Self.isPurgeable)
            UNION ALL
            SELECT 1, version.id, item.domain, superseded
                FROM version JOIN item ON item.id = version.item
                WHERE +\(isInScope) AND version.conflict = 0 AND version.size > 0
            ORDER BY since, is_version, id LIMIT 64
            """, scope.number
        ) { row throws(SQLiteError) in
            HistoryEntry(isVersion: try row[0], id: row.integer(1), domain: row.integer(2))
        }
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

/// What a quota limits.
private enum RoomScope {
    case domain(Int64)
    case owner(Int64)

    var isDomain: Bool {
        if case .domain = self { true } else { false }
    }

    var column: String { isDomain ? "id" : "owner" }

    var number: Int64 {
        switch self {
        case .domain(let number), .owner(let number): number
        }
    }
}

/// An earlier version, or a tombstone that still holds something.
private struct HistoryEntry {
    let isVersion: Bool
    let id: Int64
    let domain: Int64
}
