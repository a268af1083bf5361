import BasketContent
import BasketDatabase
import BasketModels
import BasketSupport

/// A content that an item has or had, or one that lost a race.
package struct ItemVersion: Sendable, Equatable {
    /// How a version stands to its item.
    package enum Standing: String, Sendable {
        case current, earlier, conflict
    }

    package let version: Version
    package let standing: Standing
    package let content: Int64
    package let hash: ContentHash
    package let size: Int64
    /// The version that its writer had seen; nil when it had not looked.
    package let base: Version?
    package let authorName: String?
    package let deviceName: String?
    /// When it arrived.
    package let stored: Timestamp
    /// The content's own date.
    package let modified: Timestamp
}

extension Connection {
    /// The contents of an item, newest first: the current one, then conflicts and earlier ones.
    package func versions(of item: StoredItem) throws -> [ItemVersion] {
        try all(
            """
            SELECT entry.id, standing, content, hash, size, base, account.name, device.name, stored,
                modified
            FROM (
                SELECT content_version AS id, 'current' AS standing, content, hash, size, base,
                    author, device, stored, modified
                FROM item WHERE id = ?1 AND content IS NOT NULL
                UNION ALL
                SELECT id, iif(conflict, 'conflict', 'earlier'), content, hash, size, base, author,
                    device, stored, modified
                FROM version WHERE item = ?1
            ) AS entry
            LEFT JOIN account ON account.id = entry.author
            LEFT JOIN device ON device.id = entry.device
            ORDER BY entry.id DESC
            """, item.id
        ) { row throws(SQLiteError) in
            let standing: String = try row[1]
            return ItemVersion(
                version: try row[0], standing: ItemVersion.Standing(rawValue: standing) ?? .earlier,
                content: try row[2], hash: try row[3], size: try row[4], base: try row[5],
                authorName: try row[6], deviceName: try row[7], stored: try row[8],
                modified: try row[9])
        }
    }

    /// One of an item's contents.
    package func version(_ version: Version, of item: StoredItem) throws -> ItemVersion {
        guard let found = try versions(of: item).first(where: { $0.version == version }) else {
            throw StoreError.noSuchVersion(version.description)
        }
        return found
    }
}
