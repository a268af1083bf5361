import Glibc

/// Where a server listens: `127.0.0.1:8080`, `[::1]:8080`, `0.0.0.0:8443`. The address is a number,
/// never a name: a name would have to be asked for, and might answer something else tomorrow.
package struct SocketAddress: SettingValue, Hashable {
    /// Without the brackets of IPv6.
    package let host: String
    /// 0 lets the system choose.
    package let port: UInt16

    /// Nil for a host that is no numeric address.
    package init?(host: String, port: UInt16) {
        guard Self.family(of: host) != nil else { return nil }
        self.init(checked: host, port)
    }

    package static func loopback(port: UInt16) -> SocketAddress {
        SocketAddress(checked: "127.0.0.1", port)
    }

    private init(checked host: String, _ port: UInt16) {
        self.host = host
        self.port = port
    }

    package static var placeholder: String? { "ADDR:PORT" }

    package static func read(_ text: String) throws(SettingMismatch) -> SocketAddress {
        guard let colon = text.lastIndex(of: ":"),
            text[colon...].utf8.dropFirst().allSatisfy({ $0.decimalDigit != nil }),
            let port = UInt16(text[colon...].dropFirst()),
            let address = SocketAddress(host: host(in: text[..<colon]), port: port)
        else {
            throw SettingMismatch(
                expected: "a numeric address with a port, such as 127.0.0.1:8080 or [::1]:8080")
        }
        return address
    }

    package var settingText: String { isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)" }

    package var isIPv6: Bool { Self.family(of: host) == AF_INET6 }

    /// Whether only this machine reaches it.
    package var isLoopback: Bool {
        isIPv6 ? Self.bytes(of: host, AF_INET6) == Self.loopback6 : host.hasPrefix("127.")
    }

    private static let loopback6 = [UInt8](repeating: 0, count: 15) + [1]

    /// An IPv6 address must stand in brackets, else its last group would be taken for a port.
    private static func host(in text: Substring) -> String {
        let bracketed = text.hasPrefix("[") && text.hasSuffix("]")
        let host = String(bracketed ? text.dropFirst().dropLast() : text)
        return bracketed == (family(of: host) == AF_INET6) ? host : ""
    }

    private static func family(of host: String) -> CInt? {
        [AF_INET, AF_INET6].first { bytes(of: host, $0) != nil }
    }

    private static func bytes(of host: String, _ family: CInt) -> [UInt8]? {
        // C would take a NUL for the end, and believe in what stands before it.
        guard !host.utf8.contains(0) else { return nil }
        var bytes = [UInt8](repeating: 0, count: family == AF_INET ? 4 : 16)
        return inet_pton(family, host, &bytes) == 1 ? bytes : nil
    }
}
