import BasketDatabase
import BasketModels

extension Transaction {
    /// So many items are deleted in one transaction. Of a folder that holds more, what is in it goes
    /// before it, from the inside out, so that nobody's writes wait for all of it.
    package static let mostDeleted = 2000

    /// Deletes a part of what lies in a folder, when all of it is too much for one transaction; how
    /// many items, and none when `delete` can take what is left.
    package func deletePart(
        of name: String, base: Version?, recursive: Bool, limit: Int = mostDeleted,
        in domain: Domain
    ) throws -> Int {
        guard let item = try deletable(name, base: base, recursive: recursive, in: domain),
            try db.holds(item.id, moreThan: limit)
        else { return 0 }
        return try deleteContents(of: item.id, limit: limit, in: domain)
    }

    /// Children before their folders, each in the place where the walk finds it: a tree may be deep, and
    /// a folder large.
    private func deleteContents(of top: ItemID, limit: Int, in domain: Domain) throws -> Int {
        var path = [top]
        var left = limit
        while left > 0, let folder = path.last {
            let page = try db.doomedChildren(of: folder, limit: min(left, Self.pageSize))
            let childless = page.filter { !$0.hasChildren }
            try makeTombstones(of: childless, in: domain)
            if !childless.isEmpty { try countChild(of: folder, -childless.count) }
            left -= childless.count
            if let next = page.first(where: \.hasChildren) {
                path.append(next.id)
            } else if page.isEmpty {
                path.removeLast()
                guard let parent = path.last else { break }
                try makeTombstones(of: [try db.doomed(folder)], in: domain)
                try countChild(of: parent, -1)
                left -= 1
            }
        }
        return limit - left
    }

    /// Small, because a folder full of folders is looked at once for each of them.
    private static let pageSize = 50
}

extension Connection {
    fileprivate func doomed(_ id: ItemID) throws -> DoomedItem {
        let found = try first("SELECT \(DoomedItem.columns) FROM item WHERE id = ?", id) {
            row throws(SQLiteError) in try DoomedItem(row)
        }
        guard let found else { throw StoreError.noSuchItem(id.description) }
        return found
    }

    /// By an index of live items: a folder's dead ones may be many more.
    fileprivate func doomedChildren(of folder: ItemID, limit: Int) throws -> [DoomedItem] {
        try all(
            """
            SELECT \(DoomedItem.columns) FROM item INDEXED BY item_modified
            WHERE parent = ? AND deleted IS NULL LIMIT ?
            """, folder, limit
        ) { row throws(SQLiteError) in try DoomedItem(row) }
    }

    /// Whether there are more live items in a folder, at any depth. It counts no further.
    fileprivate func holds(_ folder: ItemID, moreThan limit: Int) throws -> Bool {
        let count: Int =
            try value(
                """
                WITH RECURSIVE down(id) AS (
                    SELECT ?1 UNION ALL
                    SELECT item.id FROM down JOIN item INDEXED BY item_modified
                        ON item.parent = down.id AND item.deleted IS NULL
                ) SELECT count(*) FROM (SELECT 1 FROM down LIMIT ?2)
                """, folder, limit + 2) ?? 0
        // The folder itself is the first.
        return count > limit + 1
    }
}
