import BasketDatabase
import BasketModels
import BasketSupport

extension Transaction {
    package static let mostDomains = 1000

    /// Makes a domain that belongs to the account; its number.
    package func createDomain(
        _ name: String, caseRule: CaseRule, hasTrash: Bool, quota: Int64?
    ) throws -> Int64 {
        guard let identity else { throw StoreError.notSignedIn }
        try checkDomainName(name)
        if let quota { try checkQuota(quota) }
        let owned: Int64 =
            try db.value(
                "SELECT count(*) FROM domain WHERE owner = ? AND deleted IS NULL", identity.account)
            ?? 0
        guard owned < Self.mostDomains else {
            throw StoreError.badField(
                field: "name", reason: "an account owns up to \(Self.mostDomains) domains")
        }
        let number = newNumber()
        let root = ItemID(rawValue: newNumber())
        let trash = ItemID(rawValue: newNumber())
        try db.run(
            """
            INSERT INTO domain (id, owner, case_rule, has_trash, quota, epoch, rank, pruned, root,
                trash, created)
            VALUES (?, ?, ?, ?, ?, ?, 1, 0, ?, ?, ?)
            """, number, identity.account, caseRule, hasTrash, quota, newName(), root, trash, now)
        try join(identity.account, domain: number, as: .owner, name: name)
        for (item, label) in [(root, "root"), (trash, "trash")] {
            try db.run(
                """
                INSERT INTO item (id, domain, name, kind, rank, content_version, metadata_version,
                    stored, created, modified, mode)
                VALUES (?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?)
                """, item, number, label, ItemKind.folder, item, item, now, now, now,
                FileMode.folder.rawValue)
        }
        tell(.membership(account: identity.account))
        return number
    }

    package func change(_ domain: Domain, _ change: DomainChange) throws {
        guard let identity else { throw StoreError.notSignedIn }
        if let name = change.name, name != domain.name {
            try checkDomainName(name)
            let renamed = try db.run(
                "UPDATE OR IGNORE member SET name = ? WHERE account = ? AND domain = ?", name,
                identity.account, domain.id)
            guard renamed == 1 else { throw StoreError.domainExists(name) }
            tell(.membership(account: identity.account))
        }
        if !change.quota.isKeep || change.hasTrash != nil {
            try domain.require(.owner)
            if case .set(let quota) = change.quota { try checkQuota(quota) }
            if change.hasTrash == false { try requireEmptyTrash(of: domain) }
            let quota: Int64? = change.quota.isKeep ? domain.quota : change.quota.value
            try db.run(
                "UPDATE domain SET quota = ?, has_trash = ? WHERE id = ?", quota,
                change.hasTrash ?? domain.hasTrash, domain.id)
            for member in try db.members(of: domain.id) {
                tell(.membership(account: member.account))
            }
        }
    }

    /// What lies in a trash that nobody sees would be lost, and be counted for ever.
    private func requireEmptyTrash(of domain: Domain) throws {
        let trashed = try db.value(
            "SELECT 1 FROM item WHERE parent = ? AND deleted IS NULL", domain.trash, of: Int64.self)
        guard trashed == nil else { throw StoreError.trashNotEmpty }
    }

    /// Starts the domain's order of changes anew: every client lists it again.
    package func resetAnchors(of domain: Domain) throws {
        try domain.require(.owner)
        try db.run("UPDATE domain SET epoch = ? WHERE id = ?", newName(), domain.id)
        for member in try db.members(of: domain.id) { tell(.membership(account: member.account)) }
    }

    /// Takes a domain away with everything in it, for good. It is gone for everybody at once; its rows
    /// go in steps afterwards, so that nobody's writes wait for a million of them.
    package func deleteDomain(_ domain: Domain) throws {
        try domain.require(.owner)
        for member in try db.members(of: domain.id) { tell(.membership(account: member.account)) }
        try db.run("DELETE FROM member WHERE domain = ?", domain.id)
        try db.run(
            "UPDATE domain SET deleted = ?, used = 0, history = 0, items = 0 WHERE id = ?", now,
            domain.id)
    }

    private func checkDomainName(_ name: String) throws(StoreError) {
        if let problem = CaseRule.portable.problem(with: name) {
            throw .badName(field: "name", problem)
        }
    }

    func join(_ account: Int64, domain: Int64, as role: DomainRole, name: String) throws {
        let joined = try db.run(
            """
            INSERT INTO member (account, domain, role, name) VALUES (?, ?, ?, ?)
            ON CONFLICT DO NOTHING
            """, account, domain, role, name)
        guard joined == 1 else { throw StoreError.domainExists(name) }
    }
}
