/// A positive 64-bit number that travels as an opaque string: digits and lower-case letters, in one
/// spelling only, so that equal strings and equal values are the same thing.
package protocol OpaqueNumber: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    var rawValue: Int64 { get }
    init(rawValue: Int64)
}

extension OpaqueNumber {
    package init?(_ text: some StringProtocol) {
        guard let number = parseOpaqueNumber(text.utf8) else { return nil }
        self.init(rawValue: number)
    }

    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let value = Self(text) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "“\(text.prefix(40))” is not an identifier of this server"))
        }
        self = value
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    package var description: String {
        var digits: [UInt8] = []
        appendDigits(to: &digits)
        return String(decoding: digits, as: UTF8.self)
    }

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// Appends the text without making a string of it.
    package func appendDigits(to bytes: inout [UInt8]) {
        let start = bytes.count
        var rest = UInt64(bitPattern: rawValue)
        repeat {
            bytes.append(opaqueDigits[Int(rest % 36)])
            rest /= 36
        } while rest > 0
        bytes[start...].reverse()
    }
}

private let opaqueDigits = Array("0123456789abcdefghijklmnopqrstuvwxyz".utf8)

/// Nil for other characters, leading zeros, and what does not fit.
private func parseOpaqueNumber(_ text: some Collection<UInt8>) -> Int64? {
    guard (1...13).contains(text.count), text.first != UInt8(ascii: "0") else { return nil }
    var number: Int64 = 0
    for byte in text {
        let digit: UInt8
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = byte - UInt8(ascii: "a") + 10
        default: return nil
        }
        let (scaled, tooLarge) = number.multipliedReportingOverflow(by: 36)
        let (sum, tooLargeToo) = scaled.addingReportingOverflow(Int64(digit))
        guard !tooLarge, !tooLargeToo else { return nil }
        number = sum
    }
    return number
}
