import BasketHTTP

/// Addresses, ranges of them, and where to listen: what is read is read as the same when it is written,
/// and a range of one family holds nothing of the other.
enum NetworkAddressFuzzer: Fuzzer {
    static let name = "network-address"

    static func feed(_ bytes: [UInt8]) throws(FuzzFinding) {
        let text = String(decoding: bytes, as: UTF8.self)
        if let address = NetworkAddress(text) {
            guard NetworkAddress(address.description) == address, isPlain(text) else {
                throw FuzzFinding("'\(text)' is taken for \(address)")
            }
        }
        if let range = AddressRange(text) { try check(range, text) }
        if let address = ListeningAddress(text) {
            guard ListeningAddress(address.description) == address, !text.utf8.contains(0) else {
                throw FuzzFinding("'\(text)' is taken for \(address)")
            }
        }
    }

    private static func check(_ range: AddressRange, _ text: String) throws(FuzzFinding) {
        guard AddressRange(range.description) == range, isPlain(text) else {
            throw FuzzFinding("'\(text)' is taken for \(range)")
        }
        let first = text.utf8.prefix { $0 != UInt8(ascii: "/") }
        guard let address = NetworkAddress(Substring(first)), range.contains(address) else {
            throw FuzzFinding("'\(text)' does not hold what it was made from")
        }
        for foreign in ["192.0.2.1", "0.0.0.0", "2001:db8::1", "::1"] {
            guard let foreign = NetworkAddress(foreign), foreign.isIPv4 != address.isIPv4 else {
                continue
            }
            guard !range.contains(foreign) else { throw FuzzFinding("'\(text)' holds \(foreign)") }
        }
    }

    /// Digits and what sets them apart: nothing that C or a person would read in another way.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "."), UInt8(ascii: ":"),
                UInt8(ascii: "/"), UInt8(ascii: "["), UInt8(ascii: "]"):
                true
            default: false
            }
        }
    }
}
