import BasketContent
import BasketModels

/// What changes of an account.
package struct AccountChange: Sendable {
    package var displayName: String?
    package var role: AccountRole?
    package var quota: FieldChange<Int64> = .keep
    package var isDisabled: Bool?
    /// Hashed already: that takes long, and not on the writer's thread. Whoever is logged in with the
    /// old one is logged out, but for the device that asks.
    package var password: PasswordHash?

    package init(
        displayName: String? = nil, role: AccountRole? = nil, quota: FieldChange<Int64> = .keep,
        isDisabled: Bool? = nil, password: PasswordHash? = nil
    ) {
        self.displayName = displayName
        self.role = role
        self.quota = quota
        self.isDisabled = isDisabled
        self.password = password
    }
}
