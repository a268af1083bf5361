import BasketDatabase
import BasketModels
import BasketSupport

/// A tree of items, as one account sees it.
package struct Domain: Sendable {
    package let id: Int64
    /// What this account calls it.
    package let name: String
    /// What this account may do in it.
    package let role: DomainRole
    package let owner: Int64
    package let caseRule: CaseRule
    package let hasTrash: Bool
    package let quota: Int64?
    package let epoch: Int64
    package let rank: Int64
    package let pruned: Int64
    package let used: Int64
    package let history: Int64
    package let items: Int64
    package let root: ItemID
    package let trash: ItemID
    package let created: Timestamp
    /// What the owner may use in all of its domains.
    let ownerQuota: Int64?

    static let columns = """
        domain.id, member.name, member.role, domain.owner, domain.case_rule, domain.has_trash, \
        domain.quota, domain.epoch, domain.rank, domain.pruned, domain.used, domain.history, \
        domain.items, domain.root, domain.trash, domain.created, account.quota
        """

    init(_ row: borrowing Row) throws(SQLiteError) {
        id = try row[0]
        name = try row[1]
        role = try row[2]
        owner = try row[3]
        caseRule = try row[4]
        hasTrash = try row[5]
        quota = try row[6]
        epoch = try row[7]
        rank = try row[8]
        pruned = try row[9]
        used = try row[10]
        history = try row[11]
        items = try row[12]
        root = try row[13]
        trash = try row[14]
        created = try row[15]
        ownerQuota = try row[16]
    }

    /// Where the feed stands.
    package var anchor: Anchor { Anchor(epoch: epoch, rank: rank) }

    /// Refuses what the account's role does not allow.
    package func require(_ role: DomainRole) throws(StoreError) {
        let allowed =
            switch role {
            case .reader: true
            case .writer: self.role.mayWrite
            case .owner: self.role.mayManage
            }
        guard allowed else { throw .forbidden(needs: role.rawValue) }
    }
}

extension Connection {
    /// A domain by the name that the account gives it, or by its number. One that the account has
    /// no part in is as unknown as one that never was.
    package func domain(_ name: String, for identity: Identity) throws -> Domain {
        if let domain = try findDomain(name, for: identity) { return domain }
        throw StoreError.noSuchDomain(name)
    }

    /// A number wins over a name: otherwise whoever lets somebody into a domain could name it like
    /// the number of another one, and be sent what was meant for that.
    private func findDomain(_ name: String, for identity: Identity) throws -> Domain? {
        if let number = ItemID(name),
            let domain = try domain(number: number.rawValue, for: identity)
        {
            return domain
        }
        return try first(
            """
            SELECT \(Domain.columns) FROM member
            JOIN domain ON domain.id = member.domain JOIN account ON account.id = domain.owner
            WHERE member.account = ? AND member.name = ?
            """, identity.account, name
        ) { row throws(SQLiteError) in try Domain(row) }
    }

    func domain(number: Int64, for identity: Identity) throws -> Domain? {
        try first(
            """
            SELECT \(Domain.columns) FROM member
            JOIN domain ON domain.id = member.domain JOIN account ON account.id = domain.owner
            WHERE member.account = ? AND member.domain = ?
            """, identity.account, number
        ) { row throws(SQLiteError) in try Domain(row) }
    }

    /// The account's domains, by their names; the page that follows one of them, or the first.
    package func domains(
        of account: Int64, after name: String = "", limit: Int = .max
    ) throws -> [Domain] {
        try all(
            """
            SELECT \(Domain.columns) FROM member
            JOIN domain ON domain.id = member.domain JOIN account ON account.id = domain.owner
            WHERE member.account = ? AND member.name > ? ORDER BY member.name LIMIT ?
            """, account, name, limit
        ) { row throws(SQLiteError) in try Domain(row) }
    }
}
