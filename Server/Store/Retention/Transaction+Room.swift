import BasketDatabase
import BasketModels

extension Transaction {
    /// Makes sure that the domain and its owner may hold so many bytes more: history makes room,
    /// the oldest first, before anybody is refused.
    func makeRoom(for bytes: Int64, in domain: Domain) throws {
        guard bytes > 0, domain.quota != nil || domain.ownerQuota != nil else { return }
        let missing = try missingRoom(for: bytes, in: domain)
        guard missing > 0 else { return }
        _ = try reclaim(missing, in: domain)
        let stillMissing = try missingRoom(for: bytes, in: domain)
        guard stillMissing <= 0 else {
            throw StoreError.insufficientQuota(
                needed: bytes, available: max(0, bytes - stillMissing))
        }
    }

    /// How many bytes are over the narrower of both quotas; negative when there is room.
    private func missingRoom(for bytes: Int64, in domain: Domain) throws -> Int64 {
        let usage = try usage(of: domain)
        let held = usage.used + usage.history
        var missing = Int64.min
        if let quota = domain.quota { missing = held.addingClamped(bytes) - quota }
        if let quota = domain.ownerQuota {
            let elsewhere: Int64 =
                try db.value(
                    "SELECT coalesce(sum(used + history), 0) FROM domain WHERE owner = ? AND id <> ?",
                    domain.owner, domain.id) ?? 0
            missing = max(missing, elsewhere.addingClamped(held).addingClamped(bytes) - quota)
        }
        return missing
    }

    /// Lets history go, the oldest first, until so many bytes are free or none is left.
    private func reclaim(_ bytes: Int64, in domain: Domain) throws -> Int64 {
        var freed: Int64 = 0
        while freed < bytes {
            let oldest = try db.all(
                """
                SELECT 0, id, deleted AS since FROM item
                    WHERE domain = ?1 AND deleted IS NOT NULL AND content IS NOT NULL
                UNION ALL
                SELECT 1, version.id, superseded FROM version JOIN item ON item.id = version.item
                    WHERE item.domain = ?1 AND version.conflict = 0 AND item.deleted IS NULL
                ORDER BY since LIMIT 64
                """, domain.id
            ) { row throws(SQLiteError) in (isVersion: try row[0] as Bool, id: row.integer(1)) }
            if oldest.isEmpty { return freed }
            for entry in oldest where freed < bytes {
                freed +=
                    try entry.isVersion
                    ? drop(version: Version(rawValue: entry.id), in: domain)
                    : purgeContents(of: ItemID(rawValue: entry.id), in: domain)
            }
        }
        return freed
    }
}

extension Int64 {
    /// Two sizes together, or the largest there is.
    func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
