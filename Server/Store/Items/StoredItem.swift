import BasketContent
import BasketDatabase
import BasketModels
import BasketSupport

/// An item as the store knows it: what its rules decide by.
package struct StoredItem: Sendable {
    package let id: ItemID
    /// Nil for the root and the trash.
    package let parent: ItemID?
    package let name: String
    package let kind: ItemKind
    package let rank: Int64
    package let contentVersion: Version
    package let metadataVersion: Version
    /// The content's row; nil for what has none: folders, symlinks, files made without content.
    package let content: Int64?
    package let hash: ContentHash?
    package let size: Int64
    package let children: Int64
    package let target: String?
    package let created: Timestamp
    package let modified: Timestamp
    package let used: Timestamp?
    package let mode: Int
    package let flags: ItemFlags
    package let favorite: Int64?
    /// A JSON array of strings, or nil for none.
    package let tags: String?
    package let xattrs: Int64
    package let conflicts: Int64
    package let trashed: Timestamp?
    package let trashedFrom: ItemID?
    package let deleted: Timestamp?
    package let domain: Int64
    package let base: Version?
    package let author: Int64?
    package let device: Int64?
    package let stored: Timestamp
    /// When each field last changed; nil while all are as they were at creation.
    let stamps: FieldStamps?

    init(_ row: borrowing Row) throws(SQLiteError) {
        id = try row[ItemColumn.id]
        parent = try row[ItemColumn.parent]
        name = try row[ItemColumn.name]
        kind = try row[ItemColumn.kind]
        rank = try row[ItemColumn.rank]
        contentVersion = try row[ItemColumn.contentVersion]
        metadataVersion = try row[ItemColumn.metadataVersion]
        content = try row[ItemColumn.content]
        hash = try row[ItemColumn.hash]
        size = try row[ItemColumn.size]
        children = try row[ItemColumn.children]
        target = try row[ItemColumn.target]
        created = try row[ItemColumn.created]
        modified = try row[ItemColumn.modified]
        used = try row[ItemColumn.used]
        mode = try row[ItemColumn.mode]
        flags = try row[ItemColumn.flags]
        favorite = try row[ItemColumn.favorite]
        tags = try row[ItemColumn.tags]
        xattrs = try row[ItemColumn.xattrs]
        conflicts = try row[ItemColumn.conflicts]
        trashed = try row[ItemColumn.trashed]
        trashedFrom = try row[ItemColumn.trashedFrom]
        deleted = try row[ItemColumn.deleted]
        domain = try row[ItemColumn.domain]
        base = try row[ItemColumn.base]
        author = try row[ItemColumn.author]
        device = try row[ItemColumn.device]
        stored = try row[ItemColumn.stored]
        stamps = try (row[ItemColumn.stamps] as [UInt8]?).flatMap(FieldStamps.init(bytes:))
    }

    package var isDeleted: Bool { deleted != nil }
    /// The root and the trash, which can be neither renamed nor moved nor deleted.
    package var isPermanent: Bool { parent == nil }
}
