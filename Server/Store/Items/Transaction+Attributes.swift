import BasketDatabase
import BasketModels

// Extended attributes have stamps of their own, so that each is merged by itself. A removal is a change
// like any other, and leaves its stamp behind.
extension Transaction {
    /// So many removals are remembered by name. Whoever has not seen an older one is refused every
    /// attribute that is not there: too often, but never too rarely.
    static let rememberedRemovals = 128

    /// Changes an item's attributes where that changes anything; the names of those that somebody
    /// else changed since `base`, which stay as they are.
    func applyAttributes(
        _ changes: [String: Base64Bytes?], to item: StoredItem, stamp: Version, base: Version?
    ) throws -> (refused: [String], changed: Bool) {
        guard !changes.isEmpty else { return ([], false) }
        // By their bytes: Swift takes both Unicode forms of a name for the same.
        var present: [[UInt8]: [UInt8]] = [:]
        for (name, value) in try db.extendedAttributes(of: item.id) {
            present[Array(name.utf8)] = value
        }
        let real = changes.filter { name, value in present[Array(name.utf8)] != value?.bytes }
        let refused = try setExtendedAttributes(real, of: item.id, stamp: stamp, base: base)
        return (refused, real.count > refused.count)
    }

    /// Sets and removes attributes one by one; the names of those that somebody else changed since
    /// `base`, which stay as they are.
    @discardableResult
    func setExtendedAttributes(
        _ changes: [String: Base64Bytes?], of item: ItemID, stamp: Version, base: Version?
    ) throws -> [String] {
        guard !changes.isEmpty else { return [] }
        var refused: [String] = []
        for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
            if let base, try lastChange(of: name, of: item).map({ $0 > base }) ?? false {
                refused.append("xattrs.\(name)")
            } else if let value {
                try set(name, to: value, of: item, stamp: stamp)
            } else {
                try remove(name, of: item, stamp: stamp)
            }
        }
        let total = try db.first(
            "SELECT count(*), coalesce(sum(length(value)), 0) FROM xattr WHERE item = ?", item
        ) { row throws(SQLiteError) in (count: row.integer(0), bytes: row.integer(1)) }
        guard let total, total.count <= Self.mostAttributes, total.bytes <= Self.longestAttributes
        else {
            throw StoreError.badField(
                field: "xattrs",
                reason: "up to \(Self.mostAttributes), of \(Self.longestAttributes) bytes together")
        }
        try db.run("UPDATE item SET xattrs = ? WHERE id = ?", total.count, item)
        return refused
    }

    /// When the attribute was last set or removed; nil when it never was, as far as is known.
    private func lastChange(of name: String, of item: ItemID) throws -> Version? {
        let set = try db.value(
            "SELECT stamp FROM xattr WHERE item = ? AND name = ?", item, name, of: Version.self)
        if let set { return set }
        return try db.value(
            "SELECT max(stamp) FROM removed_xattr WHERE item = ? AND name IN (?, '')", item, name)
    }

    private func set(
        _ name: String, to value: Base64Bytes, of item: ItemID, stamp: Version
    ) throws {
        try db.run(
            "INSERT OR REPLACE INTO xattr (item, name, value, stamp) VALUES (?, ?, ?, ?)", item,
            name, value.bytes, stamp)
        try db.run("DELETE FROM removed_xattr WHERE item = ? AND name = ?", item, name)
    }

    private func remove(_ name: String, of item: ItemID, stamp: Version) throws {
        let removed = try db.run("DELETE FROM xattr WHERE item = ? AND name = ?", item, name)
        guard removed > 0 else { return }
        try rememberRemoval(of: name, of: item, stamp: stamp)
        let count: Int =
            try db.value(
                "SELECT count(*) FROM removed_xattr WHERE item = ? AND name <> ''", item) ?? 0
        guard count > Self.rememberedRemovals else { return }
        let oldest = try db.first(
            """
            SELECT name, stamp FROM removed_xattr WHERE item = ? AND name <> ''
            ORDER BY stamp, name LIMIT 1
            """, item
        ) { row throws(SQLiteError) in (name: try row[0] as String, stamp: try row[1] as Version) }
        guard let oldest else { return }
        try db.run("DELETE FROM removed_xattr WHERE item = ? AND name = ?", item, oldest.name)
        try rememberRemoval(of: "", of: item, stamp: oldest.stamp)
    }

    private func rememberRemoval(of name: String, of item: ItemID, stamp: Version) throws {
        try db.run(
            "INSERT OR REPLACE INTO removed_xattr (item, name, stamp) VALUES (?, ?, ?)", item, name,
            stamp)
    }
}
