import BasketDatabase

/// The columns that every query for items selects, by their place. Lists of thousands are written
/// out straight from rows; everything else reads a `StoredItem`.
package enum ItemColumn {
    package static let id: Int32 = 0
    package static let parent: Int32 = 1
    package static let name: Int32 = 2
    package static let kind: Int32 = 3
    package static let rank: Int32 = 4
    package static let contentVersion: Int32 = 5
    package static let metadataVersion: Int32 = 6
    package static let content: Int32 = 7
    package static let hash: Int32 = 8
    package static let size: Int32 = 9
    package static let children: Int32 = 10
    package static let target: Int32 = 11
    package static let created: Int32 = 12
    package static let modified: Int32 = 13
    package static let used: Int32 = 14
    package static let mode: Int32 = 15
    package static let flags: Int32 = 16
    package static let favorite: Int32 = 17
    package static let tags: Int32 = 18
    package static let xattrs: Int32 = 19
    package static let conflicts: Int32 = 20
    package static let thumbnail: Int32 = 21
    package static let trashed: Int32 = 22
    package static let trashedFrom: Int32 = 23
    package static let deleted: Int32 = 24
    package static let domain: Int32 = 25
    package static let base: Int32 = 26
    package static let author: Int32 = 27
    package static let device: Int32 = 28
    package static let stored: Int32 = 29
    package static let stamps: Int32 = 30
    /// After all of them, in listings only.
    static let sortKey: Int32 = 31

    static let all = """
        item.id, item.parent, item.name, item.kind, item.rank, item.content_version, \
        item.metadata_version, item.content, item.hash, item.size, item.children, item.target, \
        item.created, item.modified, item.used, item.mode, item.flags, item.favorite, item.tags, \
        item.xattrs, item.conflicts, item.thumbnail, item.trashed, item.trashed_from, \
        item.deleted, item.domain, item.base, item.author, item.device, item.stored, item.stamps
        """
}
