import BasketContent
import BasketSupport

extension ItemInfo: QuicklyRead {
    package init?(quickly reader: inout JSONReader) {
        var draft = Draft()
        guard reader.object({ draft.read($1, &$0) }), let id = draft.id, let name = draft.name,
            let kind = draft.kind, let contentVersion = draft.contentVersion,
            let metadataVersion = draft.metadataVersion,
            draft.size.map({ (0...Self.longest).contains($0) }) ?? true
        else { return nil }
        self.id = id
        self.name = name
        self.kind = kind
        self.contentVersion = contentVersion
        self.metadataVersion = metadataVersion
        parent = draft.parent
        deleted = draft.deleted
        size = draft.size
        sha256 = draft.sha256
        conflicts = draft.conflicts ?? 0
        thumbnail = draft.thumbnail
        children = draft.children
        target = draft.target
        created = draft.created
        modified = draft.modified
        lastUsed = draft.lastUsed
        mode = draft.mode
        let words = draft.flags ?? []
        flags = ItemFlags(ItemFlags.words.filter { words.contains($0.word) }.map(\.flag))
        favoriteRank = draft.favoriteRank
        tags = draft.tags ?? []
        trashed = draft.trashed
        trashedFrom = draft.trashedFrom
        xattrs = [:]
        locks = []
    }

    /// What was read so far. A member that comes twice is not read: who knows which of the two counts.
    private struct Draft {
        var id, parent, name, target, trashedFrom: String?
        var kind: ItemKind?
        var contentVersion, metadataVersion, thumbnail: Version?
        var deleted, created, modified, lastUsed, trashed: Timestamp?
        var size, favoriteRank: Int64?
        var conflicts, children: Int?
        var sha256: ContentHash?
        var mode: FileMode?
        var flags, tags: [String]?

        /// - Returns: false for what is not read here: extended attributes and locks, which few items have, and
        ///   whatever a newer server says.
        mutating func read(_ member: String, _ reader: inout JSONReader) -> Bool {
            switch member {
            case "id": take(&id, reader.string())
            case "parent": take(&parent, reader.string())
            case "name": take(&name, reader.string())
            case "kind": take(&kind, reader.string().flatMap(ItemKind.init(word:)))
            case "contentVersion": take(&contentVersion, reader.string().flatMap { Version($0) })
            case "metadataVersion": take(&metadataVersion, reader.string().flatMap { Version($0) })
            case "size": take(&size, reader.integer())
            case "sha256": take(&sha256, reader.string().flatMap(ContentHash.init(hex:)))
            case "created": take(&created, Self.date(&reader))
            case "modified": take(&modified, Self.date(&reader))
            case "lastUsed": take(&lastUsed, Self.date(&reader))
            case "mode": take(&mode, reader.string().flatMap { FileMode(octal: $0) })
            case "children": take(&children, reader.integer().map { Int($0) })
            case "conflicts": take(&conflicts, reader.integer().map { Int($0) })
            case "deleted": take(&deleted, Self.date(&reader))
            case "target": take(&target, reader.string())
            case "thumbnail": take(&thumbnail, reader.string().flatMap { Version($0) })
            case "flags": take(&flags, reader.array { $0.string() })
            case "tags": take(&tags, reader.array { $0.string() })
            case "favoriteRank": take(&favoriteRank, reader.integer())
            case "trashed": take(&trashed, Self.date(&reader))
            case "trashedFrom": take(&trashedFrom, reader.string())
            default: false
            }
        }

        private func take<Value>(_ place: inout Value?, _ value: Value?) -> Bool {
            guard place == nil, value != nil else { return false }
            place = value
            return true
        }

        private static func date(_ reader: inout JSONReader) -> Timestamp? {
            reader.string().flatMap { Timestamp(rfc3339: $0) }
        }
    }
}
