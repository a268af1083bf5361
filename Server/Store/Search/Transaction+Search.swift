import BasketDatabase
import BasketModels

extension Transaction {
    /// Reads the domain's feed into the index, up to `limit` changes; false when there are more.
    /// Searching waits for it, writing does not.
    package func indexForSearch(domain: Int64, limit: Int) throws -> Bool {
        // One that was deleted is not searched any more.
        guard try db.isThere(domain: domain) else { return true }
        let state: (rank: Int64, item: ItemID) =
            try db.first("SELECT rank, item FROM search_state WHERE domain = ?", domain) {
                row throws(SQLiteError) in (try row[0], try row[1])
            } ?? (0, ItemID(rawValue: 0))
        struct Change {
            let id: ItemID
            let rank: Int64
            let name: String
            let tags: String?
            let isLive: Bool
        }
        let changes = try db.all(
            """
            SELECT id, rank, name, tags, deleted IS NULL AND parent IS NOT NULL FROM item
            WHERE domain = ? AND (rank, id) > (?, ?) ORDER BY rank, id LIMIT ?
            """, domain, state.rank, state.item, limit
        ) { row throws(SQLiteError) in
            Change(
                id: try row[0], rank: try row[1], name: try row[2], tags: try row[3],
                isLive: try row[4])
        }
        for change in changes {
            try db.run("DELETE FROM search WHERE rowid = ?", change.id)
            guard change.isLive else { continue }
            try db.run(
                "INSERT INTO search (rowid, name, tags, scope) VALUES (?, ?, ?, ?)", change.id,
                change.name, change.tags ?? "", SearchQuery.scope(of: domain))
        }
        let isDone = changes.count < limit
        // At the end of the feed, all of its newest rank was read.
        let rank: Int64? =
            try isDone ? db.value("SELECT rank FROM domain WHERE id = ?", domain) : nil
        if let rank = rank ?? changes.last?.rank {
            let item = isDone ? Self.endOfRank : changes.last?.id
            try db.run(
                """
                INSERT INTO search_state (domain, rank, item) VALUES (?1, ?2, ?3)
                ON CONFLICT (domain) DO UPDATE SET rank = ?2, item = ?3
                """, domain, rank, item)
        }
        return isDone
    }
}

extension Transaction {
    /// After every item of a rank.
    fileprivate static let endOfRank = ItemID(rawValue: .max)
}

extension Connection {
    /// Whether the index has seen all of the domain's changes.
    package func isSearchCurrent(_ domain: Domain) throws -> Bool {
        try value(
            """
            SELECT 1 FROM search_state WHERE domain = ? AND (rank, item) >= (?, ?)
            """, domain.id, domain.rank, Transaction.endOfRank, of: Int64.self) != nil
    }

    /// Lends the rows of live items whose names or tags have all the words, best first.
    package func search(
        _ query: SearchQuery, in domain: Domain, skipping offset: Int, limit: Int,
        body: (borrowing Row) throws(SQLiteError) -> Bool
    ) throws {
        try each(
            """
            SELECT \(ItemColumn.all) FROM search JOIN item ON item.id = search.rowid
            WHERE search MATCH ? AND item.domain = ? AND item.deleted IS NULL
            ORDER BY search.rank, item.id LIMIT ? OFFSET ?
            """, query.expression(in: domain.id), domain.id, limit, offset, body: body)
    }
}
