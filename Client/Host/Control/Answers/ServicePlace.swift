/// Where a service listens.
package struct ServicePlace: Codable, Sendable, Equatable {
    package var name: String
    /// The path of a Unix domain socket.
    package var socket: String
}
