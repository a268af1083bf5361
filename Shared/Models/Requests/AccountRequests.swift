/// `POST /v1/sessions`: logs a named device in.
package struct LogInRequest: Codable, Sendable {
    package var account: String?
    package var password: String?
    /// What the device is called in lists; a host's name is a good one.
    package var device: String
    /// How long the token lasts; until it is revoked, when nothing is said.
    package var seconds: Int64?

    package init(account: String?, password: String?, device: String, seconds: Int64? = nil) {
        self.account = account
        self.password = password
        self.device = device
        self.seconds = seconds
    }
}

/// `POST /v1/accounts`.
package struct CreateAccountRequest: Codable, Sendable {
    package var name: String
    package var password: String
    package var displayName: String?
    package var role: AccountRole?
    package var quota: Int64?

    package init(name: String, password: String) {
        self.name = name
        self.password = password
    }
}

/// `PATCH /v1/accounts/NAME`.
package struct ChangeAccountRequest: Codable, Sendable {
    package var displayName: String?
    package var password: String?
    /// Needed to change one's own password.
    package var currentPassword: String?
    package var role: AccountRole?
    package var quota: FieldChange<Int64>
    package var disabled: Bool?

    package init() {
        quota = .keep
    }

    private enum CodingKeys: String, CodingKey {
        case displayName, password, currentPassword, role, quota, disabled
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        displayName = try fields.decodeIfPresent(String.self, forKey: .displayName)
        password = try fields.decodeIfPresent(String.self, forKey: .password)
        currentPassword = try fields.decodeIfPresent(String.self, forKey: .currentPassword)
        role = try fields.decodeIfPresent(AccountRole.self, forKey: .role)
        quota = try fields.change(forKey: .quota)
        disabled = try fields.decodeIfPresent(Bool.self, forKey: .disabled)
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encodeIfPresent(displayName, forKey: .displayName)
        try fields.encodeIfPresent(password, forKey: .password)
        try fields.encodeIfPresent(currentPassword, forKey: .currentPassword)
        try fields.encodeIfPresent(role, forKey: .role)
        try fields.encode(quota, forKey: .quota)
        try fields.encodeIfPresent(disabled, forKey: .disabled)
    }
}
