import BasketSupport

/// `POST …/undelete`.
package struct UndeleteRequest: Codable, Sendable {
    package var since: Timestamp
    /// Only what this device deleted.
    package var device: DeviceID?
    /// Only what this account deleted.
    package var account: String?
    /// What becomes of files whose names others have by now; nil: they take the next free ones.
    package var ifExists: RevivalPolicy?

    package init(
        since: Timestamp, device: DeviceID? = nil, account: String? = nil,
        ifExists: RevivalPolicy? = nil
    ) {
        self.since = since
        self.device = device
        self.account = account
        self.ifExists = ifExists
    }
}
