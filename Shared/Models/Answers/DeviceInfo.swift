import BasketSupport

/// A device that is logged in.
package struct DeviceInfo: Decodable, Sendable, Equatable {
    package var id: DeviceID
    package var name: String
    /// Whether it is the one that asks.
    package var current: Bool
    package var created: Timestamp
    package var used: Timestamp
    package var expires: Timestamp?
}
