import BasketContent
import BasketDatabase
import BasketModels

extension Transaction {
    package func createAccount(
        _ name: String, displayName: String?, role: AccountRole, quota: Int64?,
        password: PasswordHash
    ) throws {
        try Account.checkName(name)
        try checkDisplayName(displayName ?? name)
        if let quota { try checkQuota(quota) }
        let made = try db.run(
            """
            INSERT INTO account (id, name, display, password, role, quota, created)
            VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO NOTHING
            """, newNumber(), name, displayName ?? name, password.encoded, role, quota, now)
        // As its owner writes it: names are the same without regard to case.
        guard made == 1 else { throw StoreError.accountExists(try db.account(named: name).name) }
    }

    package func change(account name: String, _ change: AccountChange) throws {
        let account = try db.account(named: name)
        if let display = change.displayName { try checkDisplayName(display) }
        if case .set(let quota) = change.quota { try checkQuota(quota) }
        let role = change.role ?? account.role
        let isDisabled = change.isDisabled ?? account.isDisabled
        try db.run(
            "UPDATE account SET display = ?, role = ?, disabled = ? WHERE id = ?",
            change.displayName ?? account.displayName, role, isDisabled, account.number)
        if !change.quota.isKeep {
            try db.run(
                "UPDATE account SET quota = ? WHERE id = ?", change.quota.value, account.number)
        }
        if let password = change.password {
            try db.run(
                "UPDATE account SET password = ? WHERE id = ?", password.encoded, account.number)
            try revokeOthers(of: account.number)
        }
        try requireAdministrator()
        tell(.accountChanged(account.number))
    }

    /// Keeps the same password in a hash that costs more to guess; nobody is logged out for it. Done
    /// only while the password is still the one that was hashed.
    /// - Returns: whether that was still the password.
    func rehash(_ account: Int64, from old: String, to new: PasswordHash) throws -> Bool {
        try db.run(
            "UPDATE account SET password = ? WHERE id = ? AND password = ?", new.encoded, account,
            old) > 0
    }

    /// Takes an account away, with its devices and its part in others' domains. Its own domains
    /// must be deleted or given away before: nobody's files go along by accident.
    package func deleteAccount(_ name: String) throws {
        let account = try db.account(named: name)
        let owned: Int64 =
            try db.value(
                "SELECT count(*) FROM domain WHERE owner = ? AND deleted IS NULL", account.number)
            ?? 0
        guard owned == 0 else { throw StoreError.accountOwnsDomains(name) }
        try requireAdministrator(except: account.number)
        // What is left of deleted domains counts for nobody, but names somebody as its owner.
        try db.run(
            """
            UPDATE domain SET owner = (SELECT min(id) FROM account WHERE id <> ?1) WHERE owner = ?1
            """, account.number)
        try db.run("DELETE FROM account WHERE id = ?", account.number)
        tell(.accountChanged(account.number))
    }

    /// Somebody must be able to let people in again.
    private func requireAdministrator(except gone: Int64 = 0) throws {
        let left: Int64 =
            try db.value(
                """
                SELECT count(*) FROM account
                WHERE role = 'administrator' AND disabled = 0 AND id <> ?
                """, gone) ?? 0
        guard left > 0 else { throw StoreError.lastAdministrator }
    }

    private func checkDisplayName(_ name: String) throws(StoreError) {
        guard (1...255).contains(name.utf8.count), !name.utf8.contains(where: { $0 < 0x20 }) else {
            throw .badField(
                field: "displayName", reason: "1 to 255 bytes without control characters")
        }
    }

    func checkQuota(_ quota: Int64) throws(StoreError) {
        guard quota >= 0 else { throw .badField(field: "quota", reason: "0 or more bytes") }
    }
}
