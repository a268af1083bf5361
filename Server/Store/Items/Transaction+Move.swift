import BasketDatabase
import BasketModels
import BasketSupport

extension Transaction {
    /// Brings an item to another folder or name. Only its place: versions and rank are the
    /// caller's.
    func move(_ item: StoredItem, to place: ItemPlace, in domain: Domain) throws {
        guard let oldParent = item.parent else {
            throw StoreError.permanentItem(item.id == domain.root ? "root" : "trash")
        }
        let parent = try db.item(place.parent, in: domain)
        guard parent.kind == .folder else { throw StoreError.notAFolder(parent.id) }
        if item.kind == .folder, parent.id != oldParent {
            // An empty folder has nobody inside that could be the new parent.
            var isInItself = item.id == parent.id
            if !isInItself, item.children > 0 {
                isInItself = try db.isInside(parent.id, item.id)
            }
            guard !isInItself else { throw StoreError.moveIntoItself(item.id) }
        }
        let isTrashed = parent.id == domain.trash
        guard !isTrashed || domain.hasTrash else { throw StoreError.trashDisabled }
        let name = try isTrashed ? place.name : nameInFolder(item, place, in: domain)
        let wasTrashed = oldParent == domain.trash
        try db.run(
            """
            UPDATE item SET parent = ?, name = ?, key = ?, trashed = ?, trashed_from = ?
            WHERE id = ?
            """, parent.id, name, isTrashed ? nil : domain.caseRule.collisionKey(of: name),
            isTrashed ? (wasTrashed ? item.trashed : now) : nil,
            isTrashed ? (wasTrashed ? item.trashedFrom : oldParent) : nil, item.id)
        if parent.id != oldParent {
            try countChild(of: oldParent, -1)
            try countChild(of: parent.id, 1)
        }
    }

    /// The name that the item will bear: another one when that is taken and it may be bounced.
    private func nameInFolder(
        _ item: StoredItem, _ place: ItemPlace, in domain: Domain
    ) throws -> String {
        guard let taken = try db.child(place.name, of: place.parent, in: domain),
            taken.id != item.id  // Only its case changes.
        else { return place.name }
        guard place.ifExists == .rename else { throw StoreError.nameTaken(taken.id) }
        return try freeName(for: place.name, in: place.parent, domain: domain)
    }
}
