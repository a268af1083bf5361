import BasketBlobs
import BasketDatabase
import BasketModels
import BasketStore

/// A file of which a backup lacks bytes, as people know it.
package struct LackingFile: Equatable, Sendable {
    /// The name of the account that owns its domain.
    package let owner: String
    /// The name that the owner gave the domain, and the way from there.
    package let path: String

    /// More would be read by nobody, and `check` tells of all.
    package static let most = 1000
    /// A tree that is damaged may have no top.
    private static let deepest = 10_000

    package init(owner: String, path: String) {
        self.owner = owner
        self.path = path
    }

    /// The files that are there now and have bytes in one of the blobs, up to `most` of them.
    static func all(in db: Connection, lacking blobs: [BlobID]) throws -> [LackingFile] {
        var items: Set<ItemID> = []
        for blob in blobs where items.count < most {
            let found: [ItemID] = try db.all(
                """
                SELECT DISTINCT item.id FROM chunk
                JOIN content_chunk ON content_chunk.chunk = chunk.id
                JOIN item ON item.content = content_chunk.content
                WHERE chunk.blob = ? AND item.deleted IS NULL LIMIT ?
                """, blob.number, most
            ) { row throws(SQLiteError) in try row[0] }
            items.formUnion(found)
        }
        let files = try items.prefix(most).compactMap { try file($0, in: db) }
        return files.sorted { ($0.owner, $0.path) < ($1.owner, $1.path) }
    }

    private static func file(_ item: ItemID, in db: Connection) throws -> LackingFile? {
        var names: [String] = []
        var next: ItemID? = item
        while let id = next, names.count < deepest {
            let found = try db.first("SELECT name, parent FROM item WHERE id = ?", id) {
                row throws(SQLiteError) in
                let parent: ItemID? = try row[1]
                return (name: try row[0] as String, parent: parent)
            }
            guard let found else { break }
            next = found.parent
            // The top's name is the domain's, which each member calls as they like.
            if next != nil { names.append(found.name) }
        }
        let domain = try db.first(
            """
            SELECT account.name, member.name FROM item
            JOIN domain ON domain.id = item.domain JOIN account ON account.id = domain.owner
            JOIN member ON member.domain = domain.id AND member.account = domain.owner
            WHERE item.id = ?
            """, item
        ) { row throws(SQLiteError) in (owner: try row[0] as String, name: try row[1] as String) }
        guard let domain else { return nil }
        return LackingFile(
            owner: domain.owner,
            path: ([domain.name] + names.reversed()).joined(separator: "/"))
    }
}
