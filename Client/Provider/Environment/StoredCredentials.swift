/// What a device logs in with.
package struct StoredCredentials: Codable, Sendable, Equatable {
    package var token: String
    /// What the server calls the device; not needed to log in.
    package var device: String?
    /// The address of the server that gave it; nil where somebody has written it down by hand.
    package var server: String?

    package init(token: String, device: String? = nil, server: String? = nil) {
        self.token = token
        self.device = device
        self.server = server
    }
}
