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
