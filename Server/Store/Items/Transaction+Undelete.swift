import BasketDatabase
import BasketModels
import BasketSupport

extension Transaction {
    /// Brings back everything that is left of an undeletion: each item to where it was, when that is
    /// there or comes back too, else to the root. What was purged does not come back: it would be an
    /// empty file.
    package func undelete(_ undeletion: Undeletion, in domain: Domain) throws -> Undeletion {
        try domain.require(.writer)
        var rest = undeletion
        while try undelete(&rest, limit: .max, in: domain) {}
        return rest
    }

    /// Brings back a part, when all of it is too much for one transaction, and folders before what is in
    /// them; nil when `undelete` can take what is left.
    package func undeletePart(
        of undeletion: Undeletion, limit: Int = mostDeleted, in domain: Domain
    ) throws -> Undeletion? {
        try domain.require(.writer)
        guard try db.tombstones(of: undeletion, in: domain, limit: limit + 1).count > limit else {
            return nil
        }
        var rest = undeletion
        var left = limit
        while left > 0 {
            let before = rest.restored + rest.skipped
            guard try undelete(&rest, limit: left, in: domain) else { break }
            left -= rest.restored + rest.skipped - before
        }
        return rest
    }

    private static let tombstonesAtOnce = 500

    /// Takes the next tombstones, in the order of their deletion, so that who gets a name that two of
    /// them want is no chance; false when there are none.
    private func undelete(
        _ undeletion: inout Undeletion, limit: Int, in domain: Domain
    ) throws -> Bool {
        let page = try db.tombstones(of: undeletion, in: domain, limit: Self.tombstonesAtOnce)
        var left = limit
        for tombstone in page {
            // Folders first, without recursion: a tree may be deep.
            var chain: [ItemID] = []
            var next: ItemID? = tombstone.id
            while let id = next, let parent = try db.parent(of: id, in: undeletion, of: domain) {
                chain.append(id)
                next = parent
            }
            for id in chain.reversed() {
                guard left > 0 else { return true }
                if try revive(id, in: domain, orSkip: undeletion.skipsReplaced) {
                    undeletion.restored += 1
                } else {
                    undeletion.skipped += 1
                }
                left -= 1
            }
            undeletion.last = tombstone
        }
        return !page.isEmpty
    }

    /// - Parameter skipsReplaced: whether a file stays deleted whose name another one has.
    /// - Returns: whether it is back.
    private func revive(
        _ id: ItemID, in domain: Domain, orSkip skipsReplaced: Bool
    ) throws -> Bool {
        guard let item = try db.storedItem(id) else {
            throw StoreError.noSuchItem(id.description)
        }
        var parent = domain.root
        var isTrashed = false
        if let old = item.parent, let folder = try db.storedItem(old), !folder.isDeleted {
            isTrashed = old == domain.trash && domain.hasTrash
            parent = old == domain.trash && !isTrashed ? domain.root : old
        }
        if skipsReplaced, !isTrashed, item.kind != .folder,
            let holder = try db.child(item.name, of: parent, in: domain), holder.kind != .folder
        {
            return false
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
        return true
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

    private static let isWanted = """
        +domain = ?1 AND deleted >= ?2 AND (?3 IS NULL OR deleted_with = ?3)
            AND (?4 IS NULL OR deleted_by = ?4) AND (content IS NOT NULL OR hash IS NULL)
            AND rank <= ?5
        """

    /// The next ones that are to come back, by the index of deletions; where some are skipped, from the last one on.
    fileprivate func tombstones(
        of undeletion: Undeletion, in domain: Domain, limit: Int
    ) throws -> [(deleted: Timestamp, id: ItemID)] {
        let (isNext, order) = undeletion.skipsReplaced ? ("<", "DESC") : (">", "ASC")
        return try all(
            """
            SELECT deleted, id FROM item INDEXED BY item_deleted
            WHERE \(Self.isWanted) AND (deleted, id) \(isNext) (?6, ?7) AND deleted IS NOT NULL
            ORDER BY deleted \(order), id \(order) LIMIT ?8
            """, domain.id, undeletion.since, undeletion.device, undeletion.account,
            undeletion.newestRank, undeletion.last.deleted, undeletion.last.id, limit
        ) { row throws(SQLiteError) in (try row[0], try row[1]) }
    }

    /// The folder of an item that is to come back; nil for another item.
    fileprivate func parent(
        of id: ItemID, in undeletion: Undeletion, of domain: Domain
    ) throws -> ItemID? {
        try value(
            "SELECT parent FROM item WHERE \(Self.isWanted) AND id = ?6", domain.id,
            undeletion.since, undeletion.device, undeletion.account, undeletion.newestRank, id)
    }
}
