import BasketDatabase
import BasketModels
import BasketSupport

extension Transaction {
    package static let longestLock = Duration.seconds(3600)

    /// Takes or renews the device's lock. Listeners hear of the first one, not of renewals; the
    /// change feed hears of none.
    package func lock(
        _ id: ItemID, for duration: Duration, note: String, in domain: Domain
    ) throws {
        try domain.require(.reader)
        guard let identity, let device = identity.device else {
            throw StoreError.forbidden(needs: "device")
        }
        _ = try db.item(id, in: domain)
        let expires = now + min(max(duration, .seconds(1)), Self.longestLock)
        let renewed = try db.run(
            """
            UPDATE lock SET expires = ?, note = ? WHERE item = ? AND device = ? AND expires >= ?
            """, expires, note, id, device, now)
        guard renewed == 0 else { return }
        try db.run(
            """
            INSERT OR REPLACE INTO lock (item, device, account, note, since, expires)
            VALUES (?, ?, ?, ?, ?, ?)
            """, id, device, identity.account, note, now, expires)
        tell(.locked(domain: domain.id, id))
    }

    /// Gives up the device's own lock; an owner may break everybody's.
    package func unlock(_ id: ItemID, everybody: Bool, in domain: Domain) throws {
        try domain.require(everybody ? .owner : .reader)
        _ = try db.item(id, in: domain)
        let gone =
            everybody
            ? try db.run("DELETE FROM lock WHERE item = ?", id)
            : try db.run(
                "DELETE FROM lock WHERE item = ? AND device = ?", id, identity?.device)
        if gone > 0 { tell(.locked(domain: domain.id, id)) }
    }

    /// Has listeners told of a lock that ended otherwise than by being given up.
    func tellOfLock(on item: ItemID) throws {
        let domain = try db.value(
            "SELECT domain FROM item WHERE id = ? AND deleted IS NULL", item, of: Int64.self)
        if let domain { tell(.locked(domain: domain, item)) }
    }
}

extension Connection {
    /// Items of a domain that somebody has open now.
    package func lockedItems(
        in domain: Int64, at now: Timestamp, limit: Int
    ) throws(SQLiteError) -> [ItemID] {
        try all(
            """
            SELECT DISTINCT lock.item FROM lock CROSS JOIN item ON item.id = lock.item
            WHERE +item.domain = ? AND item.deleted IS NULL AND lock.expires >= ? LIMIT ?
            """, domain, now, limit
        ) { row throws(SQLiteError) in try row[0] }
    }

    /// Who has the item open now.
    package func locks(
        on item: ItemID, at now: Timestamp
    ) throws(SQLiteError) -> [ItemLock] {
        try all(
            """
            SELECT account.name, device.name, lock.device, lock.note, lock.since, lock.expires
            FROM lock JOIN account ON account.id = lock.account
            JOIN device ON device.id = lock.device
            WHERE lock.item = ? AND lock.expires >= ? ORDER BY lock.since
            """, item, now
        ) { row throws(SQLiteError) in
            ItemLock(
                account: try row[0], device: try row[1], deviceNumber: try row[2],
                note: try row[3], since: try row[4], expires: try row[5])
        }
    }
}
