/// What a device logs in with.
package struct StoredCredentials: Codable, Sendable, Equatable {
    package var token: String
    /// What the server calls the device; not needed to log in.
    package var device: String?

    package init(token: String, device: String? = nil) {
        self.token = token
        self.device = device
    }
}
