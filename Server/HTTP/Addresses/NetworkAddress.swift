import Glibc

/// A host's address, without a port. IPv4 is kept as IPv6 maps it, so that both compare.
package struct NetworkAddress: Hashable, Sendable, CustomStringConvertible {
    /// In network order: the first byte is the most significant.
    let value: UInt128

    private static let mapped: UInt128 = 0xFFFF << 32
    package static let loopback = NetworkAddress(value: mapped | 0x7F00_0001)

    init(value: UInt128) {
        self.value = value
    }

    /// Reads what `inet_pton` reads; an IPv6 address may stand in brackets.
    package init?(_ text: some StringProtocol) {
        var text = String(text)
        // C would take a NUL for the end, and believe in what stands before it.
        guard !text.utf8.contains(0) else { return nil }
        if text.hasPrefix("["), text.hasSuffix("]") { text = String(text.dropFirst().dropLast()) }
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            self.init(four)
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            self.init(six)
        } else {
            return nil
        }
    }

    /// A peer that is no host, such as the other end of a Unix socket, counts as loopback.
    init(_ address: UnsafePointer<sockaddr>?) {
        guard let address else {
            self = .loopback
            return
        }
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            self = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                NetworkAddress($0.pointee.sin_addr)
            }
        case AF_INET6:
            self = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                NetworkAddress($0.pointee.sin6_addr)
            }
        default: self = .loopback
        }
    }

    private init(_ four: in_addr) {
        self.init(value: Self.mapped | UInt128(UInt32(bigEndian: four.s_addr)))
    }

    private init(_ six: in6_addr) {
        self.init(
            value: withUnsafeBytes(of: six) { bytes in
                bytes.reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
            })
    }

    package var isIPv4: Bool { value >> 32 == 0xFFFF }
    package var isLoopback: Bool { value == 1 || isIPv4 && value >> 24 & 0xFF == 127 }

    /// What one customer of a network is given: an IPv4 address, or an IPv6 network of 64 bits.
    package var customer: NetworkAddress {
        isIPv4 ? self : NetworkAddress(value: (value >> 64) << 64)
    }

    package var description: String {
        if isIPv4 {
            return (0..<4).map { String(UInt8(truncatingIfNeeded: value >> ((3 - $0) * 8))) }
                .joined(separator: ".")
        }
        var six = in6_addr()
        withUnsafeMutableBytes(of: &six) { bytes in
            for index in 0..<16 {
                bytes[index] = UInt8(truncatingIfNeeded: value >> ((15 - index) * 8))
            }
        }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(AF_INET6, &six, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
