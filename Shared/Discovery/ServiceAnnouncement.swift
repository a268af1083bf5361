import BasketSupport

/// What is told to the network of a server.
package struct ServiceAnnouncement: Sendable, Equatable {
    /// Another one is found by Avahi where somebody has that already.
    package let name: ServiceName
    package let port: UInt16
    package let records: ServiceRecords
    private let address: SocketAddress

    /// Nil for a server that other machines do not reach: they have nothing of knowing it.
    /// - Parameter fingerprint: of its certificate; nil for a server that speaks without TLS.
    package init?(name: String, address: SocketAddress, isSecure: Bool, fingerprint: String?) {
        guard !address.isLoopback, address.port > 0 else { return nil }
        self.name = ServiceName(name)
        self.address = address
        port = address.port
        records = ServiceRecords(isSecure: isSecure, fingerprint: fingerprint)
    }

    /// The one address of this machine at which it listens; nil when it does at all of them.
    var host: String? { ["0.0.0.0", "::"].contains(address.host) ? nil : address.host }

    var isIPv4Alone: Bool { !address.isIPv6 }
}
