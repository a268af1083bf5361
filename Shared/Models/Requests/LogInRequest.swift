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
