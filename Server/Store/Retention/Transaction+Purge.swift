import BasketDatabase
import BasketModels

// Letting go of what nobody may want back any more. Each step gives back what it freed.
extension Transaction {
    /// Drops an earlier version; the bytes that history lost.
    func drop(version: Version, in domain: Domain) throws -> Int64 {
        let dropped = try db.first(
            "DELETE FROM version WHERE id = ? AND conflict = 0 RETURNING content, size", version
        ) { row throws(SQLiteError) in (content: row.integer(0), size: row.integer(1)) }
        guard let dropped else { return 0 }
        try release(content: dropped.content)
        try account(domain, history: -dropped.size)
        return dropped.size
    }

    /// Drops all that a tombstone held: content, versions, thumbnail. What stays is the fact.
    func purgeContents(of id: ItemID, in domain: Domain) throws -> Int64 {
        guard let item = try db.storedItem(id), item.isDeleted else { return 0 }
        var freed = item.size
        // What is purged keeps its hash: that tells it from a file that never had content.
        try db.run(
            """
            UPDATE item SET content = NULL, size = 0, conflicts = 0, thumbnail = NULL, xattrs = 0
            WHERE id = ?
            """, id)
        if let content = item.content { try release(content: content) }
        let versions = try db.all(
            "DELETE FROM version WHERE item = ? RETURNING content, size", id
        ) { row throws(SQLiteError) in (content: row.integer(0), size: row.integer(1)) }
        for version in versions {
            try release(content: version.content)
            freed += version.size
        }
        let thumbnail: Int64 =
            try db.value("DELETE FROM thumbnail WHERE item = ? RETURNING length(data)", id) ?? 0
        try db.run("DELETE FROM xattr WHERE item = ?", id)
        try db.run("DELETE FROM removed_xattr WHERE item = ?", id)
        try account(domain, history: -(freed + thumbnail))
        return freed + thumbnail
    }

    /// Forgets a tombstone altogether, which nothing names as its parent any more. Anchors from before
    /// it expire.
    func forget(_ item: StoredItem, in domain: Domain) throws -> Int64 {
        let freed = try purgeContents(of: item.id, in: domain)
        try db.run("DELETE FROM search WHERE rowid = ?", item.id)
        try db.run("DELETE FROM item WHERE id = ? AND deleted IS NOT NULL", item.id)
        try db.run(
            "UPDATE domain SET pruned = max(pruned, ?) WHERE id = ?", item.rank, domain.id)
        return freed
    }

    func dropThumbnail(of item: ItemID, in domain: Domain) throws {
        let size = try db.value(
            "DELETE FROM thumbnail WHERE item = ? RETURNING length(data)", item, of: Int64.self)
        guard let size else { return }
        try db.run("UPDATE item SET thumbnail = NULL WHERE id = ?", item)
        try account(domain, used: -size)
    }
}
