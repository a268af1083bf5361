import BasketModels
import FoundationEssentials

/// One call of the API before it is sent.
struct APICall: Sendable {
    var method: String
    var target: String
    var headers: [(name: String, value: String)] = []
    var body = TransportBody.none
    var timeouts: TransportTimeouts?
    /// Whether it may be sent again when nobody knows what became of it.
    var isRepeatable = true
    /// Whether a change bears a key of its own, under which the server does it once.
    var isKeyed = true
    var asksBeforeSending = false
    var isStream = false
    /// Whether the answer may be long: a content.
    var isLong = false
    /// Whether the answer is worth being compressed.
    var takesCompressed = true
    var progress: (@Sendable (TransferProgress) -> Void)?

    /// - Parameter path: its parts, which are encoded here.
    init(_ method: String, _ path: [String], query: [(String, String?)] = []) {
        self.method = method
        target = path.map { "/" + Self.encoded($0) }.joined()
        let given = query.compactMap { name, value in
            value.map { "\(name)=\(Self.encoded($0))" }
        }
        if !given.isEmpty { target += "?" + given.joined(separator: "&") }
    }

    /// With a value as its body.
    func json(
        _ value: some Encodable, type: String = "application/json"
    ) throws(ConnectionError) -> APICall {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var copy = self
        do {
            copy.body = .bytes(Array(try encoder.encode(value)))
        } catch {
            throw .badAnswer("the request cannot be written as JSON: \(error)")
        }
        copy.headers.append(("Content-Type", type))
        return copy
    }

    func with(_ name: String, _ value: String) -> APICall {
        var copy = self
        copy.headers.append((name, value))
        return copy
    }

    /// Letters, digits and `-._~`; everything else as its bytes.
    private static func encoded(_ text: String) -> String {
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                encoded.append(byte)
            default:
                let digits = Array("0123456789ABCDEF".utf8)
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}
