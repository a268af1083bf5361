/// One address, or all that share its first bits: `10.0.0.0/8`.
package struct AddressRange: Hashable, Sendable, CustomStringConvertible {
    private let first: NetworkAddress
    private let freeBits: Int

    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let address = NetworkAddress(parts[0]) else { return nil }
        let width = address.isIPv4 ? 32 : 128
        var bits = width
        if parts.count == 2 {
            // Digits only: `-0` is a number as well, and would be every address there is.
            guard parts[1].utf8.allSatisfy({ (48...57).contains($0) }), let given = Int(parts[1]),
                (0...width).contains(given)
            else { return nil }
            bits = given
        }
        freeBits = width - bits
        first = NetworkAddress(value: freeBits < 128 ? (address.value >> freeBits) << freeBits : 0)
    }

    package func contains(_ address: NetworkAddress) -> Bool {
        // No IPv6 range swallows IPv4, whose addresses only look like IPv6 here.
        guard address.isIPv4 == first.isIPv4 else { return false }
        return freeBits >= 128 || address.value >> freeBits == first.value >> freeBits
    }

    package var description: String {
        "\(first)/\((first.isIPv4 ? 32 : 128) - freeBits)"
    }
}
