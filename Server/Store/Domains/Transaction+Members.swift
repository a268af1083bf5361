import BasketDatabase
import BasketModels
import BasketSupport

extension Connection {
    /// By their names; the page that follows one of them, or the first.
    package func members(
        of domain: Int64, after name: String = "", limit: Int = .max
    ) throws -> [Member] {
        try all(
            """
            SELECT account.id, account.name, account.display, member.role, member.offered
            FROM member JOIN account ON account.id = member.account
            WHERE member.domain = ? AND account.name > ? ORDER BY account.name LIMIT ?
            """, domain, name, limit
        ) { row throws(SQLiteError) in try Member(row) }
    }

    package func member(_ name: String, of domain: Int64) throws -> Member {
        let found = try first(
            """
            SELECT account.id, account.name, account.display, member.role, member.offered
            FROM member JOIN account ON account.id = member.account
            WHERE member.domain = ? AND account.name = ?
            """, domain, name
        ) { row throws(SQLiteError) in try Member(row) }
        guard let found else { throw StoreError.noSuchMember(name) }
        return found
    }
}

extension Transaction {
    /// Lets somebody in, or gives another role. There is always exactly one owner: to hand a domain
    /// over, the owner names another one, and that one takes it by the same call. What it holds counts
    /// for its owner, so that nobody is given one without asking.
    package func setMember(_ name: String, role: DomainRole, of domain: Domain) throws {
        let account = try db.account(named: name)
        if role == .owner, account.number == identity?.account {
            return try takeOver(domain, by: account)
        }
        try domain.require(.owner)
        guard account.number != domain.owner else { throw StoreError.ownerStays }
        let present = try db.value(
            "SELECT role FROM member WHERE account = ? AND domain = ?", account.number, domain.id,
            of: DomainRole.self)
        if present == nil {
            try join(
                account.number, domain: domain.id, as: role == .owner ? .writer : role,
                name: try freeDomainName(domain.name, for: account.number))
        }
        if role == .owner {
            try db.run(
                "UPDATE member SET offered = account = ? WHERE domain = ?", account.number,
                domain.id)
        } else {
            try db.run(
                "UPDATE member SET role = ?, offered = 0 WHERE account = ? AND domain = ?", role,
                account.number, domain.id)
        }
        tell(.membership(account: account.number))
        // Whoever was alone in it shares it from now on.
        if present == nil { tell(.membership(account: domain.owner)) }
    }

    /// The domain counts for its new owner from now on, who must have room for all of it: to make room
    /// now would be to lose history that nobody decided about.
    private func takeOver(_ domain: Domain, by account: Account) throws {
        if account.number == domain.owner { return }
        let isOffered =
            try db.value(
                "SELECT offered FROM member WHERE account = ? AND domain = ?", account.number,
                domain.id, of: Bool.self) ?? false
        guard isOffered else { throw StoreError.forbidden(needs: DomainRole.owner.rawValue) }
        if let quota = account.quota {
            let needed = domain.used + domain.history
            let available = max(0, quota - account.used)
            guard needed <= available else {
                throw StoreError.insufficientQuota(needed: needed, available: available)
            }
        }
        try db.run("UPDATE domain SET owner = ? WHERE id = ?", account.number, domain.id)
        try db.run(
            "UPDATE member SET role = 'writer' WHERE account = ? AND domain = ?", domain.owner,
            domain.id)
        try db.run(
            "UPDATE member SET role = 'owner', offered = 0 WHERE account = ? AND domain = ?",
            account.number, domain.id)
        tell(.membership(account: domain.owner))
        tell(.membership(account: account.number))
    }

    /// Ends somebody's part; one's own, too.
    package func removeMember(_ name: String, of domain: Domain) throws {
        let account = try db.account(named: name)
        if account.number != identity?.account { try domain.require(.owner) }
        guard account.number != domain.owner else { throw StoreError.ownerStays }
        let removed = try db.run(
            "DELETE FROM member WHERE account = ? AND domain = ?", account.number, domain.id)
        guard removed == 1 else { throw StoreError.noSuchMember(name) }
        try unlockEverything(of: account.number, in: domain)
        tell(.membership(account: account.number))
        tell(.membership(account: domain.owner))
    }

    /// Nobody who may not see a domain works on something in it.
    private func unlockEverything(of account: Int64, in domain: Domain) throws {
        let locked = try db.all(
            """
            SELECT DISTINCT lock.item FROM lock JOIN item ON item.id = lock.item
            WHERE lock.account = ? AND item.domain = ?
            """, account, domain.id
        ) { row throws(SQLiteError) -> ItemID in try row[0] }
        for item in locked {
            try db.run("DELETE FROM lock WHERE item = ? AND account = ?", item, account)
            tell(.locked(domain: domain.id, item))
        }
    }

    private func freeDomainName(_ name: String, for account: Int64) throws -> String {
        let bounced = BouncedName(name)
        var candidate = name
        var index = 0
        while try db.value(
            "SELECT 1 FROM member WHERE account = ? AND name = ?", account, candidate,
            of: Int64.self) != nil
        {
            candidate = bounced.candidate(index)
            index += 1
        }
        return candidate
    }
}
