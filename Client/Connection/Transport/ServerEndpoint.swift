import BasketContent

/// Where a server is, and how one knows that it is the right one.
package struct ServerEndpoint: Hashable, Sendable {
    package enum Trust: Hashable, Sendable {
        /// An authority that the system trusts vouches for the certificate.
        case system
        /// It is the certificate with this SHA-256, whoever signed it and whatever names it bears.
        case certificate(ContentHash)
    }

    /// `https://nas.local:8443`, without a slash at the end.
    package let url: String
    package let trust: Trust
    /// The socket through which the server is reached instead of by its name.
    package let unixSocket: String?

    /// Nil for what is no address of an HTTP server.
    package init?(_ text: String, trust: Trust = .system, unixSocket: String? = nil) {
        var text = text[...]
        while text.hasSuffix("/") { text.removeLast() }
        guard let scheme = ["http://", "https://"].first(where: text.lowercased().hasPrefix),
            case let rest = text.dropFirst(scheme.count),
            let first = rest.first, first != "/", first != ":",
            // Nothing that C, curl or a header would read as the end of the address.
            rest.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !rest.contains(where: { "@?#\\\"<>{}|^`".contains($0) }),
            !(unixSocket?.utf8.contains(0) ?? false), !(unixSocket?.isEmpty ?? false)
        else { return nil }
        url = scheme + rest
        self.trust = trust
        self.unixSocket = unixSocket
    }

    package var isSecure: Bool { url.hasPrefix("https:") }

    /// Whether it is on this machine, where bytes cost nothing.
    package var isLocal: Bool {
        if unixSocket != nil { return true }
        let host = url.drop { $0 != "/" }.dropFirst(2)
        return ["127.", "localhost:", "localhost/", "[::1]"].contains { host.hasPrefix($0) }
            || host == "localhost"
    }
}
