import BasketDatabase
import BasketModels

extension Transaction {
    /// Keeps a picture for the content that its sender had seen.
    package func setThumbnail(
        _ thumbnail: Thumbnail, of id: ItemID, base: Version?, in domain: Domain
    ) throws {
        try domain.require(.writer)
        let item = try db.item(id, in: domain)
        guard item.kind == .file else { throw StoreError.notAFile(id) }
        if let base, base != item.contentVersion { throw StoreError.staleContent(id) }
        guard Thumbnail.types.contains(thumbnail.type) else {
            throw StoreError.badField(
                field: "type", reason: Thumbnail.types.joined(separator: ", "))
        }
        guard (1...Thumbnail.longest).contains(thumbnail.data.count) else {
            throw StoreError.badField(field: "data", reason: "1 to \(Thumbnail.longest) bytes")
        }
        try dropThumbnail(of: id, in: domain)
        let size = Int64(thumbnail.data.count)
        try db.run(
            "INSERT INTO thumbnail (item, type, data) VALUES (?, ?, ?)", id, thumbnail.type,
            thumbnail.data)
        try db.run(
            "UPDATE item SET thumbnail = ?, metadata_version = ?, rank = ? WHERE id = ?",
            item.contentVersion, newNumber(), rank(in: domain), id)
        try account(domain, used: size)
        try makeRoom(for: size, in: domain)
    }
}

extension Connection {
    /// The item's picture; nil when it has none.
    package func thumbnail(of item: ItemID) throws -> Thumbnail? {
        try first("SELECT type, data FROM thumbnail WHERE item = ?", item) {
            row throws(SQLiteError) in Thumbnail(type: try row[0], data: try row[1])
        }
    }
}
