import BasketDiscovery
import Testing

@Suite("What a server says of itself")
struct ServiceRecordsTests {
    private static let hash = String(repeating: "0a", count: 32)

    @Test(
        "is read as far as it makes sense",
        arguments: [
            ([], true, nil), (["v=1", "tls=yes"], true, nil), (["tls=no"], false, nil),
            (["TLS=no"], false, nil), (["tls"], true, nil), (["tls="], true, nil),
            (["=no"], true, nil), (["tls=maybe"], true, nil), (["tls=yes", "tls=no"], true, nil),
            (["sha256=\(hash)"], true, hash), (["sha256=\(hash.uppercased())"], true, hash),
            (["sha256=\(hash)0"], true, nil), (["sha256=\u{1B}[31m"], true, nil),
            (["sha256="], true, nil), (["sha256=\(hash.dropLast(2))ä"], true, nil),
        ] as [([String], Bool, String?)])
    func reads(lines: [String], isSecure: Bool, fingerprint: String?) {
        let records = ServiceRecords(lines: lines.map { Array($0.utf8) })
        #expect(records.isSecure == isSecure)
        #expect(records.fingerprint == fingerprint)
    }

    @Test("bears a fingerprint with colons as one without")
    func takesColons() {
        let pairs = Array(repeating: "0A", count: 32).joined(separator: ":")
        #expect(ServiceRecords(isSecure: true, fingerprint: pairs).fingerprint == Self.hash)
    }

    @Test("is no text, and does no harm")
    func readsAnyBytes() {
        let lines: [[UInt8]] = [
            [], [0], [0xFF, 0x3D, 0xFE],
            Array("sha256=".utf8) + [UInt8](repeating: 0xFF, count: 64),
        ]
        #expect(ServiceRecords(lines: lines) == ServiceRecords(isSecure: true, fingerprint: nil))
    }

    @Test("is passed over where it is too long, or too much")
    func isBounded() {
        let long = Array("tls=no".utf8) + [UInt8](repeating: 0x20, count: 300)
        #expect(ServiceRecords(lines: [long]).isSecure)
        let many = Array(repeating: Array("x=1".utf8), count: 100_000) + [Array("tls=no".utf8)]
        #expect(ServiceRecords(lines: many).isSecure)
    }
}
