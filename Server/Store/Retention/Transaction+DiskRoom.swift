import BasketDatabase
import BasketModels

extension Connection {
    /// The oldest history of all domains whose bytes lie there.
    package func oldestHistory(in place: ContentPlace, limit: Int) throws -> [HistoryEntry] {
        let isInBlobs = place == .blobs
        // What was deleted with its domain goes with it.
        var oldest = try all(
            """
            SELECT 0, item.id, item.deleted, item.domain FROM item INDEXED BY item_purgeable
            JOIN content ON content.id = item.content
            WHERE item.deleted IS NOT NULL AND \(Transaction.isPurgeable)
                AND (content.data IS NULL) = ? AND \(Self.isOfLiveDomain("item"))
            ORDER BY item.deleted LIMIT ?
            """, isInBlobs, limit
        ) { row throws(SQLiteError) in try HistoryEntry(row) }
        oldest += try all(
            """
            SELECT 1, version.id, superseded, version.domain
            FROM version INDEXED BY version_superseded
            JOIN content ON content.id = version.content
            WHERE conflict = 0 AND (content.data IS NULL) = ?
                AND \(Self.isOfLiveDomain("version"))
            ORDER BY superseded LIMIT ?
            """, isInBlobs, limit
        ) { row throws(SQLiteError) in try HistoryEntry(row) }
        return Array(oldest.sorted().prefix(limit))
    }

    private static func isOfLiveDomain(_ table: String) -> String {
        "EXISTS (SELECT 1 FROM domain WHERE domain.id = \(table).domain AND deleted IS NULL)"
    }

    /// Room in the database's own file, left by what went.
    package func reusableBytes() throws -> Int64 {
        let pages: Int64 = try value("PRAGMA freelist_count") ?? 0
        return pages * (try value("PRAGMA page_size") ?? 0)
    }
}

extension Transaction {
    /// Lets history go in this order until so many bytes of it have gone.
    package func letGo(of history: [HistoryEntry], until bytes: Int64) throws -> RetentionStep {
        var step = RetentionStep()
        var domains: [Int64: Domain] = [:]
        for entry in history where step.freed < bytes {
            if domains[entry.domain] == nil {
                domains[entry.domain] = try serverView(of: entry.domain)
            }
            guard let domain = domains[entry.domain] else { continue }
            let freed =
                try entry.isVersion
                ? drop(version: Version(rawValue: entry.id), in: domain)
                : purgeContents(of: ItemID(rawValue: entry.id), in: domain)
            step.freed += freed
            if freed > 0 { step.dropped += 1 }
        }
        return step
    }
}
