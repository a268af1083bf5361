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
        if let base, item.kind == .file, item.contentVersion != base {
            throw StoreError.staleContent(id)
        }
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

    /// Brings back what a device or an account deleted since a moment: each item to where it was,
    /// when that is there or comes back too, else to the root. What was purged does not come back:
    /// it would be an empty file. The number of items restored.
    package func undelete(
        since: Timestamp, device: Int64?, account deleter: Int64?, in domain: Domain
    ) throws -> Int {
        try domain.require(.writer)
        let found = try db.all(
            """
            SELECT \(ItemColumn.all) FROM item
            WHERE +domain = ?1 AND deleted >= ?2
                AND (?3 IS NULL OR deleted_with = ?3) AND (?4 IS NULL OR deleted_by = ?4)
                AND (content IS NOT NULL OR hash IS NULL)
            """, domain.id, since, device, deleter
        ) { row throws(SQLiteError) in try StoredItem(row) }
        var waiting = Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0) })
        // In the order of their making, so that who gets a name that two of them want is no chance.
        for item in found.sorted(by: { $0.id < $1.id }) {
            // Parents first, without recursion: a tree may be deep.
            var chain: [StoredItem] = []
            var next: ItemID? = item.id
            while let id = next, let deleted = waiting.removeValue(forKey: id) {
                chain.append(deleted)
                next = deleted.parent
            }
            for deleted in chain.reversed() { try revive(deleted, in: domain) }
        }
        return found.count
    }

    private func revive(_ item: StoredItem, in domain: Domain) throws {
        var parent = domain.root
        var isTrashed = false
        if let old = item.parent, let folder = try db.storedItem(old), !folder.isDeleted {
            isTrashed = old == domain.trash && domain.hasTrash
            parent = old == domain.trash && !isTrashed ? domain.root : old
        }
        let bytes = item.size + (try besides(item.id))
        // What came back counts again, even over the quota: nobody's data waits for room.
        let name = try isTrashed ? item.name : freeName(for: item.name, in: parent, domain: domain)
        let living: Int64 =
            try db.value(
                "SELECT count(*) FROM item WHERE parent = ? AND deleted IS NULL", item.id) ?? 0
        let version = Version(rawValue: newNumber())
        var stamps = item.stamps ?? FieldStamps(all: Version(rawValue: item.id.rawValue))
        if parent != item.parent || name != item.name { stamps[.place] = version }
        // In the trash its time starts anew, or it would be swept away at once.
        try db.run(
            """
            UPDATE item SET parent = ?, name = ?, key = ?, children = ?, metadata_version = ?,
                rank = ?, stamps = ?, trashed = ?, trashed_from = ?,
                deleted = NULL, deleted_by = NULL, deleted_with = NULL WHERE id = ?
            """, parent, name, isTrashed ? nil : domain.caseRule.collisionKey(of: name), living,
            version, rank(in: domain), stamps.bytes, isTrashed ? now : nil,
            isTrashed ? item.trashedFrom : nil, item.id)
        try countChild(of: parent, 1)
        try account(domain, used: bytes, history: -bytes, items: 1)
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

extension Connection {
    /// Refuses a device that nobody knows. One that was lost and revoked is still known, and its
    /// deletions are what one most wants back.
    package func requireDeleter(device: Int64, in domain: Domain) throws {
        try domain.require(.writer)
        let isKnown = try value(
            """
            SELECT 1 FROM device JOIN member ON member.account = device.account
            WHERE device.id = ?1 AND member.domain = ?2
            UNION ALL
            SELECT 1 FROM item WHERE +domain = ?2 AND deleted IS NOT NULL AND deleted_with = ?1
            LIMIT 1
            """, device, domain.id, of: Int64.self)
        guard isKnown != nil else { throw StoreError.noSuchDevice }
    }
}
