import BasketDatabase
import BasketModels

extension Transaction {
    /// Makes a tombstone of an item and of everything in it. Deleting what is deleted is done
    /// already. The contents stay until retention purges them, so that a deletion can be undone.
    ///
    /// - Parameter base: the content version that the writer had seen; another one refuses, because
    ///   somebody's newer work would go. A rename meanwhile does not: deleting wins over it.
    package func delete(
        _ name: String, base: Version?, recursive: Bool, in domain: Domain
    ) throws {
        try domain.require(.writer)
        guard let id = db.itemID(name, in: domain), let item = try db.storedItem(id),
            item.domain == domain.id
        else { throw StoreError.noSuchItem(name) }
        if item.isDeleted { return }
        if let base, item.kind == .file, item.contentVersion != base {
            throw StoreError.deletionRejected(id)
        }
        guard item.children == 0 || recursive else { throw StoreError.folderNotEmpty(id) }
        if item.isPermanent {
            guard id == domain.trash else { throw StoreError.permanentItem(name) }
            for child in try db.children(numbersOf: id) { try bury(child, in: domain) }
            try db.run("UPDATE item SET children = 0 WHERE id = ?", id)
            return
        }
        try bury(id, in: domain)
        if let parent = item.parent { try countChild(of: parent, -1) }
    }

    /// A tombstone for an item and for all below it.
    private func bury(_ top: ItemID, in domain: Domain) throws {
        struct Buried {
            let id: ItemID
            let size: Int64
            let hasMore: Bool
        }
        let buried = try db.all(
            """
            WITH RECURSIVE down(id) AS (
                SELECT ?1 UNION ALL SELECT item.id FROM item JOIN down ON item.parent = down.id
                WHERE item.key IS NOT NULL  -- Live, and found without passing its dead brothers.
            )
            SELECT item.id, item.size, item.conflicts > 0 OR item.thumbnail IS NOT NULL
            FROM down JOIN item ON item.id = down.id
            """, top
        ) { row throws(SQLiteError) in
            Buried(id: try row[0], size: try row[1], hasMore: try row[2])
        }
        let rank = try rank(in: domain)
        var bytes: Int64 = 0
        for item in buried {
            bytes += item.size
            if item.hasMore { bytes += try besides(item.id) }
            try db.run(
                """
                UPDATE item SET key = NULL, deleted = ?, deleted_by = ?, deleted_with = ?, rank = ?
                WHERE id = ?
                """, now, identity?.account, identity?.device, rank, item.id)
        }
        try account(domain, used: -bytes, history: bytes, items: -Int64(buried.count))
    }

    /// What an item counts besides its current content: conflict versions and thumbnail.
    func besides(_ item: ItemID) throws -> Int64 {
        try db.value(
            """
            SELECT coalesce((SELECT sum(size) FROM version WHERE item = ?1 AND conflict = 1), 0)
                + coalesce((SELECT length(data) FROM thumbnail WHERE item = ?1), 0)
            """, item) ?? 0
    }
}

extension Connection {
    /// The live items directly in a folder.
    func children(numbersOf folder: ItemID) throws -> [ItemID] {
        try all("SELECT id FROM item WHERE parent = ? AND deleted IS NULL", folder) {
            row throws(SQLiteError) in try row[0]
        }
    }
}
