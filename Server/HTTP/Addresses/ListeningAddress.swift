/// Where a server listens: a host and a port.
package struct ListeningAddress: Hashable, Sendable, CustomStringConvertible {
    /// An address or a name; empty for every address of the machine.
    package let host: String
    /// 0 lets the system choose.
    package let port: UInt16

    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Reads `HOST:PORT`: `127.0.0.1:8080`, `[::1]:8080`, `nas.local:443`, `:8080`.
    package init?(_ text: String) {
        // C would take a NUL for the end of the host.
        guard !text.utf8.contains(0), let colon = text.lastIndex(of: ":"),
            case let digits = text[text.index(after: colon)...],
            !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }),
            let port = UInt16(digits)
        else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
            guard host.contains(":") else { return nil }
        } else if host.contains(where: { $0 == ":" || $0 == "[" || $0 == "]" || $0.isWhitespace }) {
            return nil
        }
        self.init(host: String(host), port: port)
    }

    package var description: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
