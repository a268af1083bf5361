import BasketDatabase
import BasketModels
import BasketSupport

extension Transaction {
    /// Changes what can be changed, field by field: a field that somebody else has changed since
    /// the writer's base stays as it is, and its name comes back.
    package func modify(
        _ id: ItemID, _ change: ItemChange, in domain: Domain
    ) throws -> [String] {
        try domain.require(.writer)
        let item = try db.item(id, in: domain)
        // The trash is not in the feed: nobody would hear of what changes of it.
        if id == domain.trash { throw StoreError.permanentItem("trash") }
        if id == domain.root, change.name != nil || change.parent != nil {
            throw StoreError.permanentItem("root")
        }
        try check(change.metadata, kind: item.kind, creating: false)
        var draft = ItemDraft(item, base: change.base)
        try draft.apply(change.metadata, tagText: tagText)
        var refused = draft.refused
        if let place = try newPlace(of: item, change, in: domain) {
            if draft.mayChange(.place) {
                draft.touched.insert(.place)
                try move(item, to: place, in: domain)
            } else {
                if !place.name.hasSameBytes(as: item.name) { refused.append("name") }
                if place.parent != item.parent { refused.append("parent") }
            }
        }
        let version = Version(rawValue: newNumber())
        let attributes = try applyAttributes(
            change.metadata.xattrs, to: item, stamp: version, base: change.base)
        refused += attributes.refused
        if draft.touched.isEmpty, !attributes.changed { return refused }
        try save(draft, version: version, in: domain)
        return refused
    }

    /// Where a change would bring an item; nil when that is where it is.
    private func newPlace(
        of item: StoredItem, _ change: ItemChange, in domain: Domain
    ) throws -> ItemPlace? {
        guard let oldParent = item.parent, change.name != nil || change.parent != nil else {
            return nil
        }
        let name = change.name ?? item.name
        let parent = change.parent ?? oldParent
        // By their bytes: Swift takes both Unicode forms of a name for the same.
        let isRenamed = !name.hasSameBytes(as: item.name)
        guard isRenamed || parent != oldParent else { return nil }
        if isRenamed { try checkName(name, in: domain) }
        return ItemPlace(parent: parent, name: name, ifExists: change.ifExists)
    }

    private func save(_ draft: ItemDraft, version: Version, in domain: Domain) throws {
        try db.run(
            """
            UPDATE item SET metadata_version = ?, rank = ?, created = ?, modified = ?, used = ?,
                mode = ?, flags = ?, favorite = ?, tags = ?, target = ?, stamps = ? WHERE id = ?
            """, version, rank(in: domain), draft.created, draft.modified, draft.used, draft.mode,
            draft.flags, draft.favorite, draft.tags, draft.target,
            draft.stamps(changedBy: version).bytes, draft.id)
    }
}
