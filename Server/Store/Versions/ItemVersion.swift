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
    ///
    /// - Parameter newest: those before it are wanted; nil for the first page.
    package func versions(
        of item: StoredItem, before newest: Version? = nil, limit: Int = .max
    ) throws -> [ItemVersion] {
        try all(
            "\(Self.versions("id < ?2")) ORDER BY entry.id DESC LIMIT ?3", item.id,
            newest?.rawValue ?? .max, limit
        ) { row throws(SQLiteError) in try ItemVersion(row) }
    }

    /// One of an item's contents.
    package func version(_ version: Version, of item: StoredItem) throws -> ItemVersion {
        let found = try first(Self.versions("id = ?2"), item.id, version, 1) {
            row throws(SQLiteError) in try ItemVersion(row)
        }
        guard let found else { throw StoreError.noSuchVersion(version.description) }
        return found
    }

    /// - Parameter condition: on the version's number, `id`.
    private static func versions(_ condition: String) -> String {
        """
        SELECT entry.id, standing, content, hash, size, base, account.name, device.name, stored,
            modified
        FROM (
            SELECT content_version AS id, 'current' AS standing, content, hash, size, base,
                author, device, stored, modified
            FROM item WHERE id = ?1 AND content IS NOT NULL
            UNION ALL
            SELECT * FROM (
                SELECT id, iif(conflict, 'conflict', 'earlier'), content, hash, size, base, author,
                    device, stored, modified
                FROM version WHERE item = ?1 AND \(condition) ORDER BY id DESC LIMIT ?3)
        ) AS entry
        LEFT JOIN account ON account.id = entry.author
        LEFT JOIN device ON device.id = entry.device
        WHERE entry.\(condition)
        """
    }
}

extension ItemVersion {
    fileprivate init(_ row: borrowing Row) throws(SQLiteError) {
        let standing: String = try row[1]
        self.init(
            version: try row[0], standing: Standing(rawValue: standing) ?? .earlier,
            content: try row[2], hash: try row[3], size: try row[4], base: try row[5],
            authorName: try row[6], deviceName: try row[7], stored: try row[8],
            modified: try row[9])
    }
}
