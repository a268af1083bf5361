import BasketDiscovery

/// A server of the local network, as scripts and people see it. All of it is what somebody says of themselves.
struct NearbyServer: Codable, Sendable, Equatable {
    let name: String
    /// What `basket connect --server` takes.
    let address: String
    let host: String?
    let port: UInt16
    /// Its machine's addresses, as numbers.
    let addresses: [String]
    let tls: Bool
    /// The SHA-256 of its certificate: to be compared, and no reason for trust.
    let fingerprint: String?

    /// Nil where nobody can tell how it is reached.
    init?(_ server: FoundServer, knowsNames: Bool) {
        guard let address = server.url(knowsNames: knowsNames) else { return nil }
        self.address = address
        name = server.name
        host = server.host
        port = server.port
        addresses = server.addresses.map(\.text)
        tls = server.records.isSecure
        fingerprint = server.records.fingerprint
    }

    /// In lines for people.
    var text: String {
        let line = "\(Words.left(Words.shown(name), 24))  \(address)"
        guard let fingerprint else {
            return tls ? line : line + "  (without TLS: everybody on the way reads along)"
        }
        return line + "\n    certificate \(fingerprint)"
    }

    /// In a sentence.
    var phrase: String { "‘\(Words.shown(name))’ at \(address)" }
}
