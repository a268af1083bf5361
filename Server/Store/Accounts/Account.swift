import BasketDatabase
import BasketModels
import BasketSupport

/// A person who may log in.
package struct Account: Sendable, Equatable {
    package let number: Int64
    package let name: String
    package let displayName: String
    package let role: AccountRole
    package let quota: Int64?
    /// The bytes of all domains that the account owns, with their history.
    package let used: Int64
    package let isDisabled: Bool
    package let created: Timestamp

    static let columns = """
        account.id, account.name, account.display, account.role, account.quota,
        (SELECT coalesce(sum(used + history), 0) FROM domain WHERE owner = account.id),
        account.disabled, account.created
        """

    init(_ row: borrowing Row) throws(SQLiteError) {
        number = try row[0]
        name = try row[1]
        displayName = try row[2]
        role = try row[3]
        quota = try row[4]
        used = try row[5]
        isDisabled = try row[6]
        created = try row[7]
    }

    /// Names are typed into shells and URLs.
    static func checkName(_ name: String) throws(StoreError) {
        let isPlain = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "-"):
                true
            default: false
            }
        }
        guard isPlain, (1...64).contains(name.utf8.count), name.utf8.first != UInt8(ascii: ".")
        else {
            throw .badField(
                field: "name", reason: "1 to 64 letters, digits, dots, dashes and underscores")
        }
    }
}

extension Connection {
    package func account(named name: String) throws -> Account {
        let found = try first(
            "SELECT \(Account.columns) FROM account WHERE name = ?", name
        ) { row throws(SQLiteError) in try Account(row) }
        guard let found else { throw StoreError.noSuchAccount(name) }
        return found
    }

    /// By their names; the page that follows one of them, or the first.
    package func accounts(after name: String = "", limit: Int = .max) throws -> [Account] {
        try all(
            "SELECT \(Account.columns) FROM account WHERE name > ? ORDER BY name LIMIT ?", name,
            limit
        ) { row throws(SQLiteError) in try Account(row) }
    }

    package func accountCount() throws -> Int {
        try value("SELECT count(*) FROM account") ?? 0
    }

    /// What an account's password hashes to.
    func passwordHash(of account: Int64) throws -> String? {
        try value("SELECT password FROM account WHERE id = ?", account)
    }
}
