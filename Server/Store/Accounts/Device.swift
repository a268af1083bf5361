import BasketContent
import BasketDatabase
import BasketModels
import BasketSupport

/// A log-in of an account from somewhere.
package struct Device: Sendable, Equatable {
    package let number: Int64
    package let name: String
    package let created: Timestamp
    package let used: Timestamp
    package let expires: Timestamp?

    init(_ row: borrowing Row) throws(SQLiteError) {
        number = try row[0]
        name = try row[1]
        created = try row[2]
        used = try row[3]
        expires = try row[4]
    }
}

extension Connection {
    /// The devices that an account is logged in from, the newest first.
    package func devices(of account: Int64, at now: Timestamp) throws -> [Device] {
        try all(
            """
            SELECT id, name, created, used, expires FROM device
            WHERE account = ? AND revoked IS NULL AND (expires IS NULL OR expires > ?)
            ORDER BY id DESC
            """, account, now
        ) { row throws(SQLiteError) in try Device(row) }
    }

    /// When a log-in ends by itself; nil when it does not.
    package func expiry(of device: Int64) throws -> Timestamp? {
        try value("SELECT expires FROM device WHERE id = ? AND expires IS NOT NULL", device)
    }

    /// Whether somebody who was let in once still is: neither logged out nor disabled since.
    package func isStillIn(_ identity: Identity, at now: Timestamp) throws -> Bool {
        try value(
            """
            SELECT 1 FROM account WHERE id = ?1 AND disabled = 0 AND (?2 IS NULL OR EXISTS (
                SELECT 1 FROM device
                WHERE id = ?2 AND revoked IS NULL AND (expires IS NULL OR expires > ?3)))
            """, identity.account, identity.device, now, of: Int64.self) != nil
    }

    /// Who bears a token; nil for one that is unknown, revoked, expired or of a disabled account.
    func identity(token: ContentHash, at now: Timestamp) throws -> (
        identity: Identity, expires: Timestamp?, used: Timestamp
    )? {
        try first(
            """
            SELECT account.id, account.name, account.role, device.id, device.name, device.expires,
                device.used
            FROM device JOIN account ON account.id = device.account
            WHERE device.token = ? AND device.revoked IS NULL AND account.disabled = 0
                AND (device.expires IS NULL OR device.expires > ?)
            """, token, now
        ) { row throws(SQLiteError) in
            let identity = Identity(
                account: try row[0], accountName: try row[1], role: try row[2],
                device: try row[3] as Int64, deviceName: try row[4])
            return (identity, try row[5], try row[6])
        }
    }
}

extension Transaction {
    package static let mostDevices = 200

    /// Logs a device in. The token's hash is kept, the token never.
    package func addDevice(
        _ name: String, of account: Int64, token: ContentHash, expires: Timestamp?
    ) throws -> Int64 {
        guard (1...255).contains(name.utf8.count), !name.utf8.contains(where: { $0 < 0x20 }) else {
            throw StoreError.badField(
                field: "device", reason: "1 to 255 bytes without control characters")
        }
        // Scripts that log in each time and never out must not grow the table for ever.
        let surplus: [Int64] = try db.all(
            """
            SELECT id FROM device WHERE account = ? AND revoked IS NULL
            ORDER BY used DESC, id DESC LIMIT -1 OFFSET ?
            """, account, Self.mostDevices - 1
        ) { row throws(SQLiteError) in try row[0] }
        for device in surplus { try revoke(device: device, of: account) }
        let number = newNumber()
        try db.run(
            """
            INSERT INTO device (id, account, name, token, created, used, expires)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """, number, account, name, token, now, now, expires)
        return number
    }

    package func noteUse(of device: Int64) throws {
        try db.run("UPDATE device SET used = ? WHERE id = ?", now, device)
    }

    /// Refuses whose device was logged out or whose account was locked since the request began.
    package func requireStillWelcome() throws {
        guard let identity else { return }
        guard try db.isStillIn(identity, at: now) else { throw StoreError.notSignedIn }
    }

    /// Ends a log-in. Everything that the device has open ends with it.
    package func revoke(device: Int64, of account: Int64) throws {
        let revoked = try db.run(
            "UPDATE device SET revoked = ? WHERE id = ? AND account = ? AND revoked IS NULL", now,
            device, account)
        guard revoked == 1 else { throw StoreError.noSuchDevice }
        let locked = try db.all("SELECT item FROM lock WHERE device = ?", device) {
            row throws(SQLiteError) in try row[0] as ItemID
        }
        try db.run("DELETE FROM lock WHERE device = ?", device)
        for item in locked { try tellOfLock(on: item) }
        tell(.revoked(device: device, account: account))
    }

    /// Ends all log-ins of an account but the one that asks.
    func revokeOthers(of account: Int64) throws {
        let devices: [Int64] = try db.all(
            "SELECT id FROM device WHERE account = ? AND revoked IS NULL", account
        ) { row throws(SQLiteError) in try row[0] }
        for device in devices where device != identity?.device {
            try revoke(device: device, of: account)
        }
    }
}
