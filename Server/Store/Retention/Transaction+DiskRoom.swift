import BasketDatabase
import BasketModels

extension Connection {
    /// What was deleted longest ago and would give the disk something back: its content lies in blobs, and
    /// nothing else bears it. What holds conflict versions waits for its whole time: they
    /// may be all that is left of somebody's work.
    package func oldestDeleted(limit: Int) throws -> [ItemID] {
        try all(
            """
            SELECT item.id FROM item INDEXED BY item_purgeable
            JOIN content ON content.id = item.content
            WHERE item.deleted IS NOT NULL AND \(Transaction.isPurgeable)
                AND item.conflicts = 0 AND content.data IS NULL AND content.refs = 1
                AND EXISTS (
                    SELECT 1 FROM domain WHERE domain.id = item.domain AND deleted IS NULL)
            ORDER BY item.deleted LIMIT ?
            """, limit
        ) { row throws(SQLiteError) in try row[0] }
    }

    /// Room in the database's own file, left by what went.
    package func reusableBytes() throws -> Int64 {
        let pages: Int64 = try value("PRAGMA freelist_count") ?? 0
        return pages * (try value("PRAGMA page_size") ?? 0)
    }
}

extension Transaction {
    /// Lets go of what these deleted items held, in this order, until so many bytes of it have gone.
    package func letGo(of items: [ItemID], until bytes: Int64) throws -> RetentionStep {
        var step = RetentionStep()
        for id in items where step.freed < bytes {
            guard let item = try db.storedItem(id), item.isDeleted,
                let domain = try serverView(of: item.domain)
            else { continue }
            step.freed += try purgeContents(of: id, in: domain)
            step.dropped += 1
        }
        return step
    }
}
