import BasketDatabase
import BasketModels
import BasketSupport

extension Connection {
    /// The row of an item that is there, or a tombstone.
    func storedItem(_ id: ItemID) throws -> StoredItem? {
        try first("SELECT \(ItemColumn.all) FROM item WHERE id = ?", id) {
            row throws(SQLiteError) in try StoredItem(row)
        }
    }

    /// A live item of the domain, by its identifier or by the names `root` and `trash`. One of
    /// another domain is as unknown as one that never was.
    package func item(_ name: String, in domain: Domain) throws -> StoredItem {
        guard let id = itemID(name, in: domain) else { throw StoreError.noSuchItem(name) }
        return try item(id, in: domain)
    }

    package func item(_ id: ItemID, in domain: Domain) throws -> StoredItem {
        guard id != domain.trash || domain.hasTrash, let item = try storedItem(id),
            item.domain == domain.id, !item.isDeleted
        else { throw StoreError.noSuchItem(id.description) }
        return item
    }

    /// Refuses what is not a folder of the domain that is there, without reading all of its row.
    func requireFolder(_ id: ItemID, in domain: Domain) throws {
        guard id != domain.trash || domain.hasTrash,
            let kind = try value(
                "SELECT kind FROM item WHERE id = ? AND domain = ? AND deleted IS NULL", id,
                domain.id, of: ItemKind.self)
        else { throw StoreError.noSuchItem(id.description) }
        guard kind == .folder else { throw StoreError.notAFolder(id) }
    }

    /// The identifier behind a name from outside; nil for what cannot be one.
    package func itemID(_ name: String, in domain: Domain) -> ItemID? {
        switch name {
        case "root": domain.root
        case "trash": domain.hasTrash ? domain.trash : nil
        default:
            ItemID(name).flatMap { $0 == domain.trash && !domain.hasTrash ? nil : $0 }
        }
    }

    /// Lends the row of a live item of the domain, by its identifier or by the names `root` and
    /// `trash`, to `body`.
    package func withItem<Result>(
        _ name: String, in domain: Domain,
        _ body: (borrowing Row) throws(SQLiteError) -> Result
    ) throws -> Result {
        guard let id = itemID(name, in: domain) else { throw StoreError.noSuchItem(name) }
        let result = try first(
            "SELECT \(ItemColumn.all) FROM item WHERE id = ? AND domain = ? AND deleted IS NULL",
            id,
            domain.id, decode: body)
        guard let result else { throw StoreError.noSuchItem(name) }
        return result
    }

    /// Lends the row of a live item to `body`.
    package func withItem<Result>(
        _ id: ItemID, _ body: (borrowing Row) throws(SQLiteError) -> Result
    ) throws -> Result {
        let result = try first(
            "SELECT \(ItemColumn.all) FROM item WHERE id = ? AND deleted IS NULL", id, decode: body)
        guard let result else { throw StoreError.noSuchItem(id.description) }
        return result
    }

    /// The live item of that name in a folder.
    package func child(_ name: String, of folder: ItemID, in domain: Domain) throws -> StoredItem? {
        try first(
            "SELECT \(ItemColumn.all) FROM item WHERE parent = ? AND key = ?", folder,
            domain.caseRule.collisionKey(of: name)
        ) { row throws(SQLiteError) in try StoredItem(row) }
    }

    /// The item at a path of names below the root.
    package func item(at path: [String], in domain: Domain) throws -> StoredItem {
        var current = try item(domain.root, in: domain)
        for name in path {
            guard let next = try child(name, of: current.id, in: domain) else {
                throw StoreError.noSuchItem(path.joined(separator: "/"))
            }
            current = next
        }
        return current
    }

    /// Whether `folder` is `ancestor` or lies somewhere below it.
    func isInside(_ folder: ItemID, _ ancestor: ItemID) throws -> Bool {
        try value(
            """
            WITH RECURSIVE up(id) AS (
                SELECT ?1 UNION ALL
                SELECT item.parent FROM item JOIN up ON item.id = up.id
                WHERE item.parent IS NOT NULL
            ) SELECT 1 FROM up WHERE id = ?2 LIMIT 1
            """, folder, ancestor, of: Int64.self) != nil
    }

    /// An item's extended attributes, by name.
    package func extendedAttributes(of item: ItemID) throws(SQLiteError) -> [(
        name: String, value: [UInt8]
    )] {
        try all("SELECT name, value FROM xattr WHERE item = ? ORDER BY name", item) {
            row throws(SQLiteError) in (name: try row[0], value: try row[1])
        }
    }
}
