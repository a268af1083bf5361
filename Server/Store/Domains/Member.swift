import BasketDatabase
import BasketModels

/// Somebody's part in a domain.
package struct Member: Sendable, Equatable {
    package let account: Int64
    package let accountName: String
    package let displayName: String
    package let role: DomainRole
    /// The owner wants to hand the domain over to this member, who has not taken it yet.
    package let isOffered: Bool

    init(_ row: borrowing Row) throws(SQLiteError) {
        account = try row[0]
        accountName = try row[1]
        displayName = try row[2]
        role = try row[3]
        isOffered = try row[4]
    }
}
