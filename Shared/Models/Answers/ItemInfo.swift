import BasketContent
import BasketSupport

/// An item as an answer tells it. A tombstone has `deleted`, and nothing after it.
package struct ItemInfo: Decodable, Sendable, Equatable {
    /// Its identifier; `root` and `trash` go by these names.
    package var id: String
    /// Nil for the root and the trash.
    package var parent: String?
    package var name: String
    package var kind: ItemKind
    package var contentVersion: Version
    package var metadataVersion: Version
    package var deleted: Timestamp?
    /// Of a file.
    package var size: Int64?
    /// Of a file's content; nil for a file that was made without.
    package var sha256: ContentHash?
    /// How many contents lost a race and wait.
    package var conflicts: Int
    /// The content version that its thumbnail shows.
    package var thumbnail: Version?
    /// Of a folder: how many items are in it.
    package var children: Int?
    /// Of a symlink.
    package var target: String?
    package var created: Timestamp?
    package var modified: Timestamp?
    package var lastUsed: Timestamp?
    package var mode: FileMode?
    package var flags: ItemFlags
    package var favoriteRank: Int64?
    package var tags: [String]
    package var trashed: Timestamp?
    package var trashedFrom: String?
    package var xattrs: [String: Base64Bytes]
    /// Only where one item was asked for.
    package var locks: [LockInfo]

    /// No disk holds more; and what is counted with such lengths stays a number.
    package static let longest: Int64 = 1 << 60

    private enum CodingKeys: String, CodingKey {
        case id, parent, name, kind, contentVersion, metadataVersion, deleted, size, sha256
        case conflicts, thumbnail, children, target, created, modified, lastUsed, mode, flags
        case favoriteRank, tags, trashed, trashedFrom, xattrs, locks
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        id = try fields.decode(String.self, forKey: .id)
        parent = try fields.decodeIfPresent(String.self, forKey: .parent)
        name = try fields.decode(String.self, forKey: .name)
        kind = try fields.decode(ItemKind.self, forKey: .kind)
        contentVersion = try fields.decode(Version.self, forKey: .contentVersion)
        metadataVersion = try fields.decode(Version.self, forKey: .metadataVersion)
        deleted = try fields.decodeIfPresent(Timestamp.self, forKey: .deleted)
        size = try fields.decodeIfPresent(Int64.self, forKey: .size)
        if let size, !(0...Self.longest).contains(size) {
            throw DecodingError.dataCorruptedError(
                forKey: .size, in: fields, debugDescription: "no file is so long")
        }
        sha256 = try fields.decodeIfPresent(ContentHash.self, forKey: .sha256)
        conflicts = try fields.decodeIfPresent(Int.self, forKey: .conflicts) ?? 0
        thumbnail = try fields.decodeIfPresent(Version.self, forKey: .thumbnail)
        children = try fields.decodeIfPresent(Int.self, forKey: .children)
        target = try fields.decodeIfPresent(String.self, forKey: .target)
        created = try fields.decodeIfPresent(Timestamp.self, forKey: .created)
        modified = try fields.decodeIfPresent(Timestamp.self, forKey: .modified)
        lastUsed = try fields.decodeIfPresent(Timestamp.self, forKey: .lastUsed)
        mode = try fields.decodeIfPresent(FileMode.self, forKey: .mode)
        // A newer server may know flags that we do not; the item is one all the same.
        let words = try fields.decodeIfPresent([String].self, forKey: .flags) ?? []
        flags = ItemFlags(ItemFlags.words.filter { words.contains($0.word) }.map(\.flag))
        favoriteRank = try fields.decodeIfPresent(Int64.self, forKey: .favoriteRank)
        tags = try fields.decodeIfPresent([String].self, forKey: .tags) ?? []
        trashed = try fields.decodeIfPresent(Timestamp.self, forKey: .trashed)
        trashedFrom = try fields.decodeIfPresent(String.self, forKey: .trashedFrom)
        xattrs = try fields.decodeIfPresent([String: Base64Bytes].self, forKey: .xattrs) ?? [:]
        locks = try fields.decodeIfPresent([LockInfo].self, forKey: .locks) ?? []
    }
}
