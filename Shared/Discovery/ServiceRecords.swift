/// What a server says of itself besides its name and place: a few short lines, `key=value` (RFC 6763, section 6).
///
/// Anybody on the network may say anything in them. Nothing follows from what they say but what a person is shown, and
/// how the server is spoken to first.
package struct ServiceRecords: Sendable, Equatable {
    /// It changes when something means something else; keys are added without.
    private static let version = "1"
    /// A line's length is a byte. There are four keys, and room for those to come.
    private static let mostLines = 32
    private static let longestLine = 255
    /// Of a SHA-256.
    private static let fingerprintDigits = 64

    /// Whether the server speaks TLS. It does when nothing is said.
    package let isSecure: Bool
    /// The SHA-256 of its certificate, in lower-case hexadecimal digits: a hint to compare, and no reason for trust.
    package let fingerprint: String?

    package init(isSecure: Bool, fingerprint: String?) {
        self.isSecure = isSecure
        self.fingerprint = fingerprint.flatMap(Self.digits)
    }

    /// Reads what came from the network. What makes no sense is passed over.
    /// - Parameter lines: the first of a key counts, whose letters may be small or large.
    package init(lines: [[UInt8]]) {
        var values: [String: String] = [:]
        for line in lines.prefix(Self.mostLines) where line.count <= Self.longestLine {
            guard let sign = line.firstIndex(of: UInt8(ascii: "=")), sign > 0 else { continue }
            let key = String(decoding: line[..<sign], as: UTF8.self).lowercased()
            if values[key] == nil {
                values[key] = String(decoding: line[(sign + 1)...], as: UTF8.self)
            }
        }
        self.init(isSecure: values["tls"] != "no", fingerprint: values["sha256"])
    }

    /// As they are announced.
    package var lines: [String] {
        var lines = ["v=\(Self.version)", "tls=\(isSecure ? "yes" : "no")"]
        if let fingerprint { lines.append("sha256=\(fingerprint)") }
        return lines
    }

    /// Nil for what is no fingerprint: pairs of digits, with colons between them or without.
    private static func digits(_ text: String) -> String? {
        let digits = text.utf8.filter { $0 != UInt8(ascii: ":") }
        guard digits.count == fingerprintDigits,
            digits.allSatisfy({ byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                    UInt8(ascii: "A")...UInt8(ascii: "F"):
                    true
                default: false
                }
            })
        else { return nil }
        return String(decoding: digits, as: UTF8.self).lowercased()
    }
}
