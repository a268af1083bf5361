import BasketSupport

/// Who has an item open.
package struct LockInfo: Codable, Sendable, Equatable {
    package var account: String
    /// The device's name.
    package var device: String
    /// Which one it is of all that are called so; nil where nobody has said so.
    package var deviceId: String?
    package var note: String?
    package var since: Timestamp
    package var expires: Timestamp

    /// Whether a device has taken it.
    /// - Parameter id: nil where the device does not know what the server calls it.
    package func isOf(device id: String?, named name: String) -> Bool {
        if let id, let deviceId { return deviceId == id }
        return device == name
    }
}
