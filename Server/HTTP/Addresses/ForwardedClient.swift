/// Who a request really came from, when the connection's other end is a proxy that we trust.
package struct ForwardedClient: Equatable {
    package var address: NetworkAddress
    package var isSecure: Bool

    /// Reads the hops from the last one back, and stops at the first that no trusted proxy vouches for:
    /// what stands before it, anybody may have written.
    package init(
        peer: NetworkAddress, isSecure: Bool, headers: HTTPHeaders, trusting proxies: [AddressRange]
    ) {
        address = peer
        self.isSecure = isSecure
        let hops = Self.hops(headers)
        for hop in hops.reversed() {
            guard proxies.contains(where: { $0.contains(address) }) else { return }
            guard let sender = hop.sender else { return }
            address = sender
            if let isSecure = hop.isSecure { self.isSecure = isSecure }
        }
    }

    /// What one proxy says of the connection that it accepted.
    private struct Hop {
        var sender: NetworkAddress?
        var isSecure: Bool?
    }

    /// `Forwarded` (RFC 7239) where it is there, else the older `X-Forwarded-*`.
    private static func hops(_ headers: HTTPHeaders) -> [Hop] {
        let standard = headers.all("Forwarded")
        guard standard.isEmpty else { return standard.flatMap(elements).map(hop) }
        let senders = headers.all("X-Forwarded-For").flatMap(elements)
        let schemes = headers.all("X-Forwarded-Proto").flatMap(elements)
        return senders.enumerated().map { index, sender in
            // One scheme for many senders is the outermost proxy's, which all the others pass on.
            let scheme = schemes.count == senders.count ? schemes[index] : schemes.last
            return Hop(sender: node(sender), isSecure: scheme.map { $0.lowercased() == "https" })
        }
    }

    /// Scalar by scalar: a client could write a mark that makes another character of the comma with
    /// which the proxy adds to it.
    private static func elements(_ value: String) -> [Substring] {
        value.unicodeScalars.split(separator: ",").map { trimmed(Substring($0)) }
    }

    private static func hop(_ element: Substring) -> Hop {
        var hop = Hop()
        for pair in element.split(separator: ";") {
            let parts = pair.split(separator: "=", maxSplits: 1).map(trimmed)
            guard parts.count == 2 else { continue }
            let value = parts[1].hasPrefix("\"") ? parts[1].dropFirst().dropLast() : parts[1]
            switch parts[0].lowercased() {
            case "for": hop.sender = node(value)
            case "proto": hop.isSecure = value.lowercased() == "https"
            default: break
            }
        }
        return hop
    }

    /// `192.0.2.1`, `192.0.2.1:4711`, `[2001:db8::1]:4711`, `2001:db8::1`; nil for `unknown`, `_name`.
    private static func node(_ text: Substring) -> NetworkAddress? {
        if let address = NetworkAddress(text) { return address }
        guard let colon = text.lastIndex(of: ":") else { return nil }
        return NetworkAddress(text[..<colon])
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
