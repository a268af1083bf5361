import BasketDatabase
import BasketModels
import BasketSupport

extension Connection {
    /// Lends the rows of a folder's items, in order, until `body` answers false or there are none.
    ///
    /// - Parameter limit: no more rows are wanted: what must be sorted keeps no others.
    package func children(
        of folder: StoredItem, in domain: Domain, order: ItemOrder, isDescending: Bool,
        after cursor: ListCursor?, limit: Int = .max,
        body: (borrowing Row) throws(SQLiteError) -> Bool
    ) throws {
        if let cursor, cursor.order != order || cursor.isDescending != isDescending {
            throw StoreError.cursorExpired
        }
        if order == .name, folder.id != domain.trash {
            try childrenByName(of: folder.id, isDescending, after: cursor, body: body)
        } else {
            // The trash has no keys; its order by name is that in which items were made.
            try childrenByNumber(
                of: folder.id, order == .name ? "id" : order.column, isDescending, after: cursor,
                limit, body: body)
        }
    }

    private func childrenByName(
        of folder: ItemID, _ isDescending: Bool, after cursor: ListCursor?,
        body: (borrowing Row) throws(SQLiteError) -> Bool
    ) throws {
        let sql =
            isDescending
            ? """
            SELECT \(ItemColumn.all), item.key FROM item
            WHERE parent = ? AND key < ? ORDER BY key DESC
            """
            : """
            SELECT \(ItemColumn.all), item.key FROM item
            WHERE parent = ? AND key > ? ORDER BY key
            """
        // Keys are never empty, and never longer than a folded name of 255 bytes may get.
        let first: [UInt8] =
            isDescending ? Array(repeating: 0xff, count: CaseRule.longestName * 3 + 1) : []
        try each(sql, folder, cursor.map { try key($0, in: folder) } ?? first, body: body)
    }

    /// The key after which a listing goes on. Of a long one the cursor knows the item, which must be where it
    /// was: after another place, items would be left out.
    private func key(_ cursor: ListCursor, in folder: ItemID) throws -> [UInt8] {
        guard cursor.isShortened else { return cursor.key }
        let key: [UInt8]?? = try first(
            "SELECT key FROM item WHERE id = ? AND parent = ? AND deleted IS NULL", cursor.item,
            folder
        ) { row throws(SQLiteError) in try row[0] }
        guard let key = key ?? nil, ListCursor.shortened(key) == cursor.key else {
            throw StoreError.cursorExpired
        }
        return key
    }

    private func childrenByNumber(
        of folder: ItemID, _ column: String, _ isDescending: Bool, after cursor: ListCursor?,
        _ limit: Int, body: (borrowing Row) throws(SQLiteError) -> Bool
    ) throws {
        let (sign, direction) = isDescending ? ("<", "DESC") : (">", "ASC")
        // In the trash all keys are NULL, so that the index has them in the order of their numbers.
        let isLive = column == "id" ? "key IS NULL AND deleted IS NULL" : "deleted IS NULL"
        let order =
            column == "id"
            ? "item.id \(direction)" : "item.\(column) \(direction), item.id \(direction)"
        guard let cursor else {
            let sql = """
                SELECT \(ItemColumn.all), item.key, item.\(column) FROM item
                WHERE parent = ? AND \(isLive) ORDER BY \(order) LIMIT ?
                """
            return try each(sql, folder, limit, body: body)
        }
        let sql = """
            SELECT \(ItemColumn.all), item.key, item.\(column) FROM item
            WHERE parent = ? AND \(isLive) AND (item.\(column), item.id) \(sign) (?, ?)
            ORDER BY \(order) LIMIT ?
            """
        try each(sql, folder, cursor.number, cursor.item, limit, body: body)
    }

    /// Where the page after this row begins.
    package func cursor(
        after row: borrowing Row, order: ItemOrder, isDescending: Bool
    ) throws(SQLiteError) -> ListCursor {
        let key: [UInt8]? = try row[ItemColumn.sortKey]
        let number: Int64 =
            switch order {
            case .name: row.integer(ItemColumn.id)
            case .modified: row.integer(ItemColumn.modified)
            case .created: row.integer(ItemColumn.created)
            case .size: row.integer(ItemColumn.size)
            case .kind: row.integer(ItemColumn.kind)
            }
        return ListCursor(
            order: order, isDescending: isDescending, key: ListCursor.shortened(key ?? []),
            number: number, item: try row[ItemColumn.id])
    }
}

extension ItemOrder {
    /// The column, for every order but that by name, which is the folder's own.
    fileprivate var column: String {
        switch self {
        case .name: "key"
        case .modified: "modified"
        case .created: "created"
        case .size: "size"
        case .kind: "kind"
        }
    }
}
