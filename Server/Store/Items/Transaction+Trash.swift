import BasketDatabase
import BasketModels
import BasketSupport

extension Transaction {
    /// Puts an item into the trash, from where it can be restored. What is there already stays.
    package func trash(_ id: ItemID, base: Version? = nil, in domain: Domain) throws {
        try domain.require(.writer)
        guard domain.hasTrash else { throw StoreError.trashDisabled }
        let item = try db.item(id, in: domain)
        if item.parent == domain.trash { return }
        guard hasSeen(base, of: item) else { throw StoreError.staleContent(id) }
        try place(item, in: domain.trash, name: item.name, domain: domain)
    }

    /// Brings an item back from the trash: to the folder given, else to where it was, else to the
    /// root. A name that is taken there is bounced.
    package func restore(
        _ id: ItemID, to folder: ItemID?, name: String?, in domain: Domain
    ) throws {
        try domain.require(.writer)
        let item = try db.item(id, in: domain)
        guard item.parent == domain.trash else { throw StoreError.notInTrash(id) }
        if folder == domain.trash {
            throw StoreError.badField(field: "parent", reason: "the trash is where it lies")
        }
        if let name { try checkName(name, in: domain) }
        let target: ItemID
        if let folder {
            target = folder
        } else {
            target = try homeOfTrashed(item, in: domain) ?? domain.root
        }
        try place(item, in: target, name: name ?? item.name, domain: domain)
    }

    /// Where a trashed item was; nil when that is gone or in the trash itself.
    private func homeOfTrashed(_ item: StoredItem, in domain: Domain) throws -> ItemID? {
        guard let from = item.trashedFrom, let folder = try db.storedItem(from),
            !folder.isDeleted, try !db.isInside(from, domain.trash)
        else { return nil }
        return from
    }

    private func place(
        _ item: StoredItem, in folder: ItemID, name: String, domain: Domain
    ) throws {
        try move(item, to: ItemPlace(parent: folder, name: name, ifExists: .rename), in: domain)
        let version = Version(rawValue: newNumber())
        var stamps = item.stamps ?? FieldStamps(all: Version(rawValue: item.id.rawValue))
        stamps[.place] = version
        try db.run(
            "UPDATE item SET metadata_version = ?, rank = ?, stamps = ? WHERE id = ?", version,
            rank(in: domain), stamps.bytes, item.id)
    }
}
