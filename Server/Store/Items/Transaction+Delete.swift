import BasketDatabase
import BasketModels

extension Transaction {
    /// Makes a tombstone of an item and of everything in it. Deleting what is deleted is done
    /// already. The contents stay until retention purges them, so that a deletion can be undone.
    ///
    /// - Parameter base: the content version that the writer had seen; another one refuses, because
    ///   somebody's newer work would go. What the same device has written over it is its own work, though
    ///   it may not have heard the answer. A rename meanwhile does not refuse: deleting wins over it.
    package func delete(
        _ name: String, base: Version?, recursive: Bool, in domain: Domain
    ) throws {
        _ = try deleteCounting(name, base: base, recursive: recursive, in: domain)
    }

    /// The same; how many items there were.
    func deleteCounting(
        _ name: String, base: Version?, recursive: Bool, in domain: Domain
    ) throws -> Int {
        guard let item = try deletable(name, base: base, recursive: recursive, in: domain)
        else { return 0 }
        if item.id == domain.trash {
            let children = try db.children(numbersOf: item.id)
            let count = try children.reduce(0) { try $0 + bury($1, in: domain) }
            try db.run("UPDATE item SET children = 0 WHERE id = ?", item.id)
            return count
        }
        if let parent = item.parent { try countChild(of: parent, -1) }
        return try bury(item.id, in: domain)
    }

    /// The item, when it may be deleted like this; nil when it is gone already.
    func deletable(
        _ name: String, base: Version?, recursive: Bool, in domain: Domain
    ) throws -> StoredItem? {
        try domain.require(.writer)
        guard let id = db.itemID(name, in: domain), let item = try db.storedItem(id),
            item.domain == domain.id
        else { throw StoreError.noSuchItem(name) }
        if item.isDeleted { return nil }
        guard hasSeen(base, of: item) else { throw StoreError.deletionRejected(id) }
        guard item.children == 0 || recursive else { throw StoreError.folderNotEmpty(id) }
        guard !item.isPermanent || id == domain.trash else {
            throw StoreError.permanentItem("root")
        }
        return item
    }

    /// Whether who has seen a content version of a file knows what is in it now; with none, nobody asks.
    func hasSeen(_ base: Version?, of item: StoredItem) -> Bool {
        guard let base, item.kind == .file, item.contentVersion != base else { return true }
        return identity.map { db.isOwnEcho(of: base, item, $0) } ?? false
    }

    /// A tombstone for an item and for all below it.
    private func bury(_ top: ItemID, in domain: Domain) throws -> Int {
        let buried = try db.all(
            """
            WITH RECURSIVE down(id) AS (
                SELECT ?1 UNION ALL SELECT item.id FROM item JOIN down ON item.parent = down.id
                WHERE item.key IS NOT NULL  -- Live, and found without passing its dead brothers.
            )
            SELECT \(DoomedItem.columns) FROM down JOIN item ON item.id = down.id
            """, top
        ) { row throws(SQLiteError) in try DoomedItem(row) }
        try makeTombstones(of: buried, in: domain)
        return buried.count
    }

    func makeTombstones(of items: [DoomedItem], in domain: Domain) throws {
        guard !items.isEmpty else { return }
        let rank = try rank(in: domain)
        var bytes: Int64 = 0
        for item in items {
            bytes += item.size
            if item.hasMore { bytes += try besides(item.id) }
            try db.run(
                """
                UPDATE item SET key = NULL, deleted = ?, deleted_by = ?, deleted_with = ?, rank = ?
                WHERE id = ?
                """, now, identity?.account, identity?.device, rank, item.id)
        }
        try account(domain, used: -bytes, history: bytes, items: -Int64(items.count))
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
