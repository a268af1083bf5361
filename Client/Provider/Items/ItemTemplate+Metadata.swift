import BasketModels
import BasketSupport
import FileProvider
import Foundation

extension ItemTemplate {
    /// Those fields that the server has nothing for, or not for what they hold. They stay pending, which ends
    /// their being sent, and keeps what the disk has of them.
    func unsupported(_ fields: NSFileProviderItemFields) -> NSFileProviderItemFields {
        var unsupported = fields.intersection(.typeAndCreator)
        if TagCoding.tags(tagData) == nil { unsupported.formUnion(fields.intersection(.tagData)) }
        return unsupported
    }

    /// What the template says of some fields, as the server takes it.
    /// - Parameters:
    ///   - stored: the attributes that the item has so far, with those that are made up; nil for a new item.
    ///   - now: stands for a favourite's rank that the system leaves to the provider.
    func metadata(
        _ fields: NSFileProviderItemFields, replacing stored: [String: Data]?,
        now: Timestamp
    ) -> MetadataChange {
        let isNew = stored == nil
        var change = MetadataChange()
        if fields.contains(.creationDate), let created { change.created = .set(created) }
        if fields.contains(.contentModificationDate), let modified {
            change.modified = .set(modified)
        }
        if fields.contains(.lastUsedDate) {
            change.lastUsed = lastUsed.map { .set($0) } ?? (isNew ? .keep : .clear)
        }
        if fields.contains(.favoriteRank) {
            change.favoriteRank = rank(now).map { .set($0) } ?? (isNew ? .keep : .clear)
        }
        if fields.contains(.tagData), let tags = TagCoding.tags(tagData) {
            change.tags = tags.isEmpty ? (isNew ? .keep : .clear) : .set(tags)
        }
        if fields.contains(.fileSystemFlags) { change.flags = .set(itemFlags) }
        // One that is gone says as much as one that is there: the mode is the usual one again.
        let namesMode = [attributes, stored ?? [:]].contains { $0[ReservedAttribute.mode] != nil }
        if fields.contains(.fileSystemFlags) || fields.contains(.extendedAttributes) && namesMode {
            let mode = ReservedAttribute.mode(flags, attributes, kind: kind)
            change.mode = mode.map { .set($0) } ?? .keep
        }
        if fields.contains(.extendedAttributes) {
            change.xattrs = attributeChanges(replacing: stored ?? [:])
        }
        if isNew, isPackage, change.flags.isKeep { change.flags = .set(.package) }
        return change
    }

    private var itemFlags: ItemFlags {
        var all: ItemFlags = []
        if flags.contains(.hidden) { all.insert(.hidden) }
        if flags.contains(.pathExtensionHidden) { all.insert(.extensionHidden) }
        if isPackage { all.insert(.package) }
        return all
    }

    /// Nil for no favourite. Ranks that the server cannot hold are as far back as it can.
    private func rank(_ now: Timestamp) -> Int64? {
        favoriteRank.map { rank in
            rank == NSFileProviderFavoriteRankUnranked
                ? now.milliseconds : Int64(clamping: rank)
        }
    }

    /// Only what differs: each attribute is merged by itself.
    private func attributeChanges(
        replacing stored: [String: Data]
    ) -> [String: Base64Bytes?] {
        let wanted = ReservedAttribute.stored(of: attributes)
        var changes: [String: Base64Bytes?] = [:]
        for (name, value) in wanted {
            if stored[name] != value { changes[name] = .some(Base64Bytes(Array(value))) }
        }
        for name in stored.keys
        where wanted[name] == nil && !name.hasPrefix(ReservedAttribute.prefix) {
            changes.updateValue(nil, forKey: name)
        }
        return changes
    }
}
