/// Who a request really came from, when the connection's other end is a proxy that we trust.
package struct ForwardedClient: Equatable {
    package var address: NetworkAddress
    package var isSecure: Bool

    /// Reads the hops from the last one back, and stops at the first that no trusted proxy vouches for:
    /// what stands before it, anybody may have written.
    package init(
        peer: NetworkAddress, isSecure: Bool, headers: HTTPHeaders, trusting proxies: [AddressRange]
    ) {
        self.init(address: peer, isSecure: isSecure)
        let readings = [Self.standardHops(headers), Self.olderHops(headers)]
            .filter { !$0.isEmpty }
            .map { hops in
                var reading = self
                reading.follow(hops, trusting: proxies)
                return reading
            }
        // A proxy writes one of the two and passes the other one on, whoever wrote it. When they do
        // not agree, nobody can tell which is which.
        guard let first = readings.first, readings.allSatisfy({ $0 == first }) else { return }
        self = first
    }

    private init(address: NetworkAddress, isSecure: Bool) {
        self.address = address
        self.isSecure = isSecure
    }

    private mutating func follow(_ hops: [Hop], trusting proxies: [AddressRange]) {
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

    /// `Forwarded` (RFC 7239).
    private static func standardHops(_ headers: HTTPHeaders) -> [Hop] {
        headers.all("Forwarded").flatMap(elements).map(hop)
    }

    /// `X-Forwarded-For` and `X-Forwarded-Proto`.
    private static func olderHops(_ headers: HTTPHeaders) -> [Hop] {
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
