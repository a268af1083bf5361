import BasketContent
import Glibc

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

    /// - Parameter allowsInsecureHTTP: whether plain HTTP may leave this machine.
    package init(
        _ text: String, trust: Trust = .system, unixSocket: String? = nil,
        allowsInsecureHTTP: Bool = false
    ) throws(EndpointError) {
        let whole = text
        var text = text[...]
        while text.hasSuffix("/") { text.removeLast() }
        guard let scheme = ["http://", "https://"].first(where: text.lowercased().hasPrefix),
            case let rest = text.dropFirst(scheme.count),
            let first = rest.first, first != "/", first != ":",
            // Nothing that C, curl or a header would read as the end of the address.
            rest.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !rest.contains(where: { "@?#\\\"<>{}|^`".contains($0) }),
            !(unixSocket?.utf8.contains(0) ?? false), !(unixSocket?.isEmpty ?? false)
        else { throw .notAnAddress(whole) }
        url = scheme + rest
        self.trust = trust
        self.unixSocket = unixSocket
        guard !isSecure else { return }
        if trust != .system { throw .certificateWithoutTLS(url) }
        if !isLocal, !allowsInsecureHTTP { throw .insecure(url) }
    }

    package var isSecure: Bool { url.hasPrefix("https:") }

    /// Whether it is on this machine, where bytes cost nothing, and nobody reads along.
    package var isLocal: Bool { unixSocket != nil || Self.isLoopback(host) }

    /// Without the port, and without the brackets of IPv6.
    private var host: Substring {
        let place = url.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" }
        if place.hasPrefix("[") { return place.dropFirst().prefix { $0 != "]" } }
        return place.prefix { $0 != ":" }
    }

    /// Only what can mean nothing else: a name that begins like a loopback address may be anybody's.
    private static func isLoopback(_ host: Substring) -> Bool {
        if host.lowercased() == "localhost" { return true }
        var four = [UInt8](repeating: 0, count: 4)
        if inet_pton(AF_INET, String(host), &four) == 1 { return four[0] == 127 }
        var six = [UInt8](repeating: 0, count: 16)
        return inet_pton(AF_INET6, String(host), &six) == 1
            && six == [UInt8](repeating: 0, count: 15) + [1]
    }
}
