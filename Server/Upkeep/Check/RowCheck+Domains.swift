import BasketDatabase
import BasketModels

extension RowCheck {
    /// After the items, which were counted.
    func checkDomains() throws {
        for (id, domain) in domains.sorted(by: { $0.key < $1.key }) {
            for (what, stored, actual) in [
                ("used", domain.used, domain.actualUsed),
                ("history", domain.history, domain.actualHistory),
                ("items", domain.items, domain.actualItems),
            ] where stored != actual {
                findings.add(.domainCount(id, of: what, stored: stored, actual: actual))
            }
            for (what, item) in [("root", domain.root), ("trash", domain.trash)] {
                let found = try db.value(
                    """
                    SELECT 1 FROM item WHERE id = ? AND domain = ? AND parent IS NULL AND kind = ?
                        AND deleted IS NULL
                    """, item, id, ItemKind.folder, of: Int64.self)
                if found == nil { findings.add(.domainIncomplete(id, missing: what)) }
            }
        }
        try db.each(
            """
            SELECT id FROM domain WHERE deleted IS NULL AND NOT EXISTS (
                SELECT 1 FROM member WHERE member.domain = domain.id
                    AND member.account = domain.owner AND member.role = 'owner')
            """
        ) { row throws(SQLiteError) in
            findings.add(.domainIncomplete(row.integer(0), missing: "owner among its members"))
            return true
        }
        try db.each("SELECT id FROM domain WHERE pruned > rank") { row throws(SQLiteError) in
            findings.add(.domainPruned(row.integer(0)))
            return true
        }
        try checkNumbers()
    }

    private func checkNumbers() throws {
        for table in ["account", "device", "content", "chunk", "version"] {
            let largest: Int64 =
                try db.value("SELECT coalesce(max(id), 0) FROM \(table)") ?? 0
            largestNumber = max(largestNumber, largest)
        }
        guard let reserved: Int64 = try db.value("SELECT reserved FROM server") else {
            return findings.add(.database("the row of the server is missing"))
        }
        if largestNumber > reserved {
            findings.add(.numbersReserved(stored: reserved, actual: largestNumber))
        }
    }

    /// The index is behind the writes; up to where it has read, it must be right.
    func checkSearch() throws {
        let orphans: Int64 =
            try db.value(
                """
                SELECT count(*) FROM search
                WHERE NOT EXISTS (SELECT 1 FROM item WHERE item.id = search.rowid)
                """) ?? 0
        if orphans > 0 { findings.add(.searchIndex(domain: nil, entries: orphans)) }
        try db.each(
            """
            SELECT item.domain, count(*) FROM item
            JOIN domain ON domain.id = item.domain AND domain.deleted IS NULL
            JOIN search_state ON search_state.domain = item.domain
            LEFT JOIN search ON search.rowid = item.id
            WHERE item.rank < search_state.rank AND iif(
                item.deleted IS NULL AND item.parent IS NOT NULL,
                search.name IS NOT item.name, search.name IS NOT NULL)
            GROUP BY item.domain
            """
        ) { row throws(SQLiteError) in
            findings.add(.searchIndex(domain: row.integer(0), entries: row.integer(1)))
            return true
        }
        try db.each(
            """
            SELECT domain.id FROM domain JOIN search_state ON search_state.domain = domain.id
            WHERE search_state.rank > domain.rank
            """
        ) { row throws(SQLiteError) in
            findings.add(.searchIndex(domain: row.integer(0), entries: 0))
            return true
        }
    }
}
