import BasketDatabase
import BasketModels

// What a deleted domain held goes in small steps, each of which leaves the rest as it should be: a
// crash between two of them costs nothing, and the next one finds by the rows what is left to do.
extension Transaction {
    /// Takes away up to about so many rows of a deleted domain: its items with their versions, then
    /// contents, then chunks, then its own row.
    package func takeApart(deletedDomain domain: Int64, steps: Int) throws -> CollectionStep {
        var step = CollectionStep()
        guard try !db.isThere(domain: domain) else { return step }
        try removeItems(of: domain, limit: steps, &step)
        if step.dropped < steps { try removeContents(of: domain, limit: steps, &step) }
        if step.dropped < steps { try removeChunks(of: domain, limit: steps, &step) }
        guard step.dropped < steps else {
            step.isDone = false
            return step
        }
        // Something of it may be named from elsewhere, which `check` tells of: then it stays.
        try db.run(
            """
            DELETE FROM domain WHERE id = ?1 AND deleted IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM item WHERE domain = ?1)
                AND NOT EXISTS (SELECT 1 FROM content WHERE domain = ?1)
                AND NOT EXISTS (SELECT 1 FROM chunk WHERE domain = ?1)
            """, domain)
        return step
    }

    private func removeItems(of domain: Int64, limit: Int, _ step: inout CollectionStep) throws {
        let items = try db.all(
            "SELECT id, content FROM item WHERE domain = ? ORDER BY rank, id LIMIT ?", domain, limit
        ) { row throws(SQLiteError) in (id: try row[0] as ItemID, content: try row[1] as Int64?) }
        for item in items where step.dropped < limit {
            step.dropped += try detachChildren(of: item.id, limit: limit - step.dropped)
            step.dropped += try removeVersions(of: item.id, limit: limit - step.dropped)
            guard step.dropped < limit else { return }
            try db.run("DELETE FROM search WHERE rowid = ?", item.id)
            try db.run("DELETE FROM item WHERE id = ?", item.id)
            if let content = item.content { try release(content: content) }
            step.dropped += 1
        }
    }

    /// Items name each other as parents, and only who is not named can go.
    func detachChildren(of item: ItemID, limit: Int) throws -> Int {
        try db.run(
            """
            UPDATE item SET parent = NULL, key = NULL
            WHERE id IN (SELECT id FROM item WHERE parent = ? LIMIT ?)
            """, item, limit)
    }

    private func removeVersions(of item: ItemID, limit: Int) throws -> Int {
        let contents = try db.all(
            """
            DELETE FROM version WHERE id IN (SELECT id FROM version WHERE item = ? LIMIT ?)
            RETURNING content
            """, item, limit
        ) { row throws(SQLiteError) in row.integer(0) }
        for content in contents { try release(content: content) }
        return contents.count
    }

    private func removeContents(
        of domain: Int64, limit: Int, _ step: inout CollectionStep
    ) throws {
        let contents = try db.all(
            """
            SELECT id FROM content WHERE domain = ?
                AND NOT EXISTS (SELECT 1 FROM item WHERE item.content = content.id)
                AND NOT EXISTS (SELECT 1 FROM version WHERE version.content = content.id)
            LIMIT ?
            """, domain, limit
        ) { row throws(SQLiteError) in row.integer(0) }
        for content in contents where step.dropped < limit {
            let (released, isGone) = try takeApart(
                content: content, limit: limit - step.dropped)
            step.dropped += released + (isGone ? 1 : 0)
        }
    }

    private func removeChunks(of domain: Int64, limit: Int, _ step: inout CollectionStep) throws {
        let blobs = try db.all(
            """
            DELETE FROM chunk WHERE id IN (
                SELECT id FROM chunk WHERE domain = ?
                    AND NOT EXISTS (SELECT 1 FROM content_chunk WHERE content_chunk.chunk = chunk.id)
                LIMIT ?)
            RETURNING blob
            """, domain, limit - step.dropped
        ) { row throws(SQLiteError) in row.integer(0) }
        step.dropped += blobs.count
        for blob in Set(blobs).sorted() where try discard(blob: blob) { step.discarded += 1 }
    }
}

extension Connection {
    /// Domains that were deleted and still have rows.
    package func deletedDomains() throws -> [Int64] {
        try all("SELECT id FROM domain WHERE deleted IS NOT NULL ORDER BY deleted, id") {
            row throws(SQLiteError) in row.integer(0)
        }
    }

    /// False for a domain that was deleted, whatever is left of it.
    func isThere(domain: Int64) throws -> Bool {
        try value("SELECT 1 FROM domain WHERE id = ? AND deleted IS NULL", domain, of: Int64.self)
            != nil
    }
}
