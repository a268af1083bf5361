import BasketSupport

/// A FIFO, a socket or a device: a place at which programs of one machine meet. It stays on that.
struct SpecialFile: Codable, Sendable {
    let number: UInt64
    /// The node of the folder in which it is.
    var folder: Int64
    var name: String
    /// Its type and permissions.
    var mode: UInt32
    let device: UInt64
    var accessed: Int64
    var modified: Int64
}
