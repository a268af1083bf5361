import BasketSupport

/// `POST …/undelete`.
package struct UndeleteRequest: Codable, Sendable {
    package var since: Timestamp
    /// Only what this device deleted.
    package var device: DeviceID?
    /// Only what this account deleted.
    package var account: String?

    package init(since: Timestamp, device: DeviceID? = nil, account: String? = nil) {
        self.since = since
        self.device = device
        self.account = account
    }
}
