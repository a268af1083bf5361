import BasketDatabase
import BasketModels
import BasketStore
import BasketSupport

extension RowCheck {
    func checkItems() throws {
        try readDomains()
        try db.each(
            """
            SELECT id, domain, parent, kind, rank, size, content IS NOT NULL, hash IS NOT NULL,
                deleted IS NOT NULL, key, name, content_version, metadata_version
            FROM item
            """
        ) { row throws(SQLiteError) in
            try check(item: row)
            return true
        }
        try tally(
            """
            SELECT item.domain, version.size, item.deleted IS NULL AND version.conflict = 1
            FROM version JOIN item ON item.id = version.item
            """)
        try tally(
            """
            SELECT item.domain, length(thumbnail.data), item.deleted IS NULL
            FROM thumbnail JOIN item ON item.id = thumbnail.item
            """)
        try checkCount(
            "children", where: "deleted IS NULL",
            """
            SELECT count(*) FROM item AS inside
            WHERE inside.parent = item.id AND inside.deleted IS NULL
            """)
        try checkCount(
            "conflicts",
            "SELECT count(*) FROM version WHERE version.item = item.id AND version.conflict = 1")
        try checkCount("xattrs", "SELECT count(*) FROM xattr WHERE xattr.item = item.id")
        try checkFields()
        try db.each(
            """
            SELECT id FROM item WHERE \(Self.isInLiveDomain) AND (thumbnail IS NOT NULL)
                <> EXISTS (SELECT 1 FROM thumbnail WHERE thumbnail.item = item.id)
            """
        ) { row throws(SQLiteError) in
            findings.add(.itemThumbnail(try row[0]))
            return true
        }
    }

    /// What a deleted domain held is on its way out, and its numbers with it.
    private static let isInLiveDomain =
        "item.domain NOT IN (SELECT id FROM domain WHERE deleted IS NOT NULL)"

    private func check(item row: borrowing Row) throws(SQLiteError) {
        let id = row.integer(0)
        largestNumber = max(largestNumber, id, row.integer(11), row.integer(12))
        let domain = row.integer(1)
        // Of a deleted domain; or a broken reference, told already.
        guard var tally = domains[domain] else { return }
        let isDeleted = row.integer(8) != 0
        let parent: Int64? = try row[2]
        let size = row.integer(5)
        tally.add(size, isCurrent: !isDeleted)
        tally.actualRank = max(tally.actualRank, row.integer(4))
        if !isDeleted, parent != nil { tally.actualItems += 1 }
        domains[domain] = tally
        if row.integer(4) > tally.rank { findings.add(.itemRank(ItemID(rawValue: id))) }
        try checkKey(row, id: id, parent: parent, isDeleted: isDeleted, tally)
        let isFile = row.integer(3) == Int64(ItemKind.file.rawValue)
        let hasContent = row.integer(6) != 0
        // What was purged keeps its hash.
        let isEmpty = size == 0 && (isDeleted || row.integer(7) == 0)
        if hasContent ? !isFile : !isEmpty { findings.add(.itemContent(ItemID(rawValue: id))) }
        if !isDeleted, parent == nil, id != tally.root, id != tally.trash {
            findings.add(.itemParent(ItemID(rawValue: id)))
        }
    }

    /// Live items outside the trash's first level collide by their names; others have no key.
    private func checkKey(
        _ row: borrowing Row, id: Int64, parent: Int64?, isDeleted: Bool, _ domain: DomainTally
    ) throws(SQLiteError) {
        let hasKey = !isDeleted && parent != nil && parent != domain.trash
        let key: [UInt8]? = try row[9]
        if key == nil, !hasKey { return }
        let name: String = try row[10]
        let expected = hasKey ? domain.caseRule.collisionKey(of: name) : nil
        if key != expected { findings.add(.itemKey(ItemID(rawValue: id))) }
    }

    /// What only this item says of itself, and what it calls its content.
    private func checkFields() throws {
        try db.each(
            """
            SELECT id, CASE
                WHEN kind NOT IN (?1, ?2, ?3) THEN 'kind'
                WHEN (kind = ?3) <> (target IS NOT NULL) THEN 'target'
                WHEN mode NOT BETWEEN 0 AND 4095 THEN 'mode'
                WHEN iif(json_valid(tags), json_type(tags) <> 'array', tags IS NOT NULL) THEN 'tags'
                WHEN name = '' AND parent IS NOT NULL THEN 'name'
                WHEN EXISTS (SELECT 1 FROM version WHERE version.id = content_version)
                    THEN 'content_version'
            END AS field FROM item WHERE field IS NOT NULL
            """, ItemKind.file, ItemKind.folder, ItemKind.symlink
        ) { row throws(SQLiteError) in
            findings.add(.itemField(try row[0], field: try row[1]))
            return true
        }
    }

    private func readDomains() throws {
        try db.each(
            """
            SELECT id, used, history, items, rank, root, trash, case_rule FROM domain
            WHERE deleted IS NULL
            """
        ) { row throws(SQLiteError) in
            domains[row.integer(0)] = DomainTally(
                used: row.integer(1), history: row.integer(2), items: row.integer(3),
                rank: row.integer(4), root: row.integer(5), trash: row.integer(6),
                caseRule: try row[7])
            largestNumber = max(largestNumber, row.integer(0))
            return true
        }
    }

    /// - Parameter sql: gives rows of domain, bytes, and whether they are in use now.
    private func tally(_ sql: String) throws {
        try db.each(sql) { row throws(SQLiteError) in
            domains[row.integer(0)]?.add(row.integer(1), isCurrent: row.integer(2) != 0)
            return true
        }
    }

    private func checkCount(
        _ column: String, where condition: String = "true", _ actual: String
    ) throws {
        try db.each(
            """
            SELECT id, \(column), (\(actual)) AS actual FROM item
            WHERE \(Self.isInLiveDomain) AND \(condition) AND \(column) <> actual
            """
        ) { row throws(SQLiteError) in
            findings.add(
                .itemCount(
                    try row[0], of: column, stored: row.integer(1), actual: row.integer(2)))
            return true
        }
    }

    // MARK: Tree

    func checkTree() throws {
        try db.each(
            """
            SELECT item.id FROM item JOIN item AS folder ON folder.id = item.parent
            WHERE item.deleted IS NULL AND (folder.deleted IS NOT NULL OR folder.kind <> ?
                OR folder.domain <> item.domain)
            """, ItemKind.folder
        ) { row throws(SQLiteError) in
            findings.add(.itemParent(try row[0]))
            return true
        }
        // Every folder above a live item is live, or was told of just now: then only a circle of
        // folders can be out of reach.
        let folders: Int64 =
            try db.value(
                """
                SELECT count(*) FROM item
                WHERE deleted IS NULL AND kind = ? AND \(Self.isInLiveDomain)
                """, ItemKind.folder) ?? 0
        let reached: Int64 =
            try db.value(
                """
                WITH RECURSIVE down(id) AS (
                    SELECT root FROM domain WHERE deleted IS NULL UNION ALL
                    SELECT trash FROM domain WHERE deleted IS NULL UNION ALL
                    SELECT item.id FROM item JOIN down ON item.parent = down.id
                    WHERE item.deleted IS NULL AND item.kind = ?
                ) SELECT count(*) FROM down
                """, ItemKind.folder) ?? 0
        if reached != folders { try findLost() }
    }

    /// Walks up from every folder. Slow, and only done when some are known to be out of reach.
    private func findLost() throws {
        try db.each(
            "SELECT id, domain FROM item WHERE deleted IS NULL AND kind = ?", ItemKind.folder
        ) { row throws(SQLiteError) in
            let (id, domain) = (row.integer(0), row.integer(1))
            guard let tally = domains[domain] else { return true }
            // UNION, not UNION ALL: a circle ends where it began.
            let isReached = try db.value(
                """
                WITH RECURSIVE up(id) AS (
                    SELECT ?1 UNION
                    SELECT item.parent FROM item JOIN up ON item.id = up.id
                    WHERE item.parent IS NOT NULL AND item.deleted IS NULL
                ) SELECT 1 FROM up WHERE id IN (?2, ?3)
                """, id, tally.root, tally.trash, of: Int64.self)
            if isReached == nil { findings.add(.itemLost(ItemID(rawValue: id))) }
            return true
        }
    }
}
