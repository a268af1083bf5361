import BasketSupport

/// A device that was just logged in.
package struct SessionAnswer: Decodable, Sendable {
    /// Shown this once.
    package var token: String
    package var account: String
    package var device: DeviceID
    package var expires: Timestamp?
}
