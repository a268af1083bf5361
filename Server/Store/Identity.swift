import BasketModels

/// Who asks: a person, on a device.
package struct Identity: Hashable, Sendable {
    package let account: Int64
    package let accountName: String
    package let role: AccountRole
    /// The device that logged in; nil for a password with each request.
    package let device: Int64?
    package let deviceName: String

    package init(
        account: Int64, accountName: String, role: AccountRole, device: Int64?, deviceName: String
    ) {
        self.account = account
        self.accountName = accountName
        self.role = role
        self.device = device
        self.deviceName = deviceName
    }

    package var isAdministrator: Bool { role == .administrator }
}
