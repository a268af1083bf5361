import BasketSupport

/// A person's account.
package struct AccountInfo: Decodable, Sendable, Equatable {
    package var name: String
    package var displayName: String
    package var role: AccountRole
    package var used: Int64
    package var quota: Int64?
    package var disabled: Bool
    package var created: Timestamp
}
