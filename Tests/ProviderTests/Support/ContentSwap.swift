import BasketConnection
import BasketContent

/// One content in the place of another one that is as long, in whatever way a request bears it.
struct ContentSwap: Sendable {
    private let forms: [(old: [UInt8], new: [UInt8])]
    private let hashes: (old: String, new: String)

    init(_ content: [UInt8], for other: [UInt8]) {
        forms = [
            (content, other),
            (
                Array(Base64.encode(content, .standard).utf8),
                Array(Base64.encode(other, .standard).utf8)
            ),
        ]
        hashes = (ContentHash(of: content).hex, ContentHash(of: other).hex)
    }

    /// Nil for a request that does not bear it.
    func apply(to request: TransportRequest) -> TransportRequest? {
        guard case .bytes(let body) = request.body else { return nil }
        for (old, new) in forms {
            guard let place = Self.place(of: old, in: body) else { continue }
            var request = request
            request.body = .bytes(Array(body[..<place]) + new + Array(body[(place + old.count)...]))
            request.headers = request.headers.map { name, value in
                (name, value == hashes.old ? hashes.new : value)
            }
            return request
        }
        return nil
    }

    private static func place(of part: [UInt8], in bytes: [UInt8]) -> Int? {
        guard let first = part.first, bytes.count >= part.count else { return nil }
        return (0...bytes.count - part.count).first { start in
            bytes[start] == first && bytes[start..<start + part.count] == part[...]
        }
    }
}
