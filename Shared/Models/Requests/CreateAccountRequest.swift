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
