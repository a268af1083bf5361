import BasketSupport

/// Who has an item open.
package struct LockInfo: Codable, Sendable, Equatable {
    package var account: String
    /// The device's name.
    package var device: String
    package var note: String?
    package var since: Timestamp
    package var expires: Timestamp
}
