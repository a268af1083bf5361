import BasketModels

/// Somebody's part in a domain.
package struct Member: Sendable, Equatable {
    package let account: Int64
    package let accountName: String
    package let displayName: String
    package let role: DomainRole
}
