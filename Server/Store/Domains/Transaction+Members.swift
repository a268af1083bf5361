import BasketDatabase
import BasketModels

extension Connection {
    package func members(of domain: Int64) throws -> [Member] {
        try all(
            """
            SELECT account.id, account.name, account.display, member.role
            FROM member JOIN account ON account.id = member.account
            WHERE member.domain = ? ORDER BY account.name
            """, domain
        ) { row throws(SQLiteError) in
            Member(
                account: try row[0], accountName: try row[1], displayName: try row[2],
                role: try row[3])
        }
    }
}

extension Transaction {
    /// Lets somebody in, or gives another role. To hand a domain over, its owner names another one:
    /// there is always exactly one.
    package func setMember(_ name: String, role: DomainRole, of domain: Domain) throws {
        try domain.require(.owner)
        let account = try db.account(named: name)
        let present = try db.members(of: domain.id)
        if account.number == domain.owner {
            guard role == .owner else { throw StoreError.ownerStays }
            return
        }
        if present.contains(where: { $0.account == account.number }) {
            try db.run(
                "UPDATE member SET role = ? WHERE account = ? AND domain = ?", role, account.number,
                domain.id)
        } else {
            try join(
                account.number, domain: domain.id, as: role,
                name: try freeDomainName(domain.name, for: account.number))
        }
        if role == .owner {
            try db.run("UPDATE domain SET owner = ? WHERE id = ?", account.number, domain.id)
            try db.run(
                "UPDATE member SET role = 'writer' WHERE account = ? AND domain = ?", domain.owner,
                domain.id)
            tell(.membership(account: domain.owner))
        }
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
