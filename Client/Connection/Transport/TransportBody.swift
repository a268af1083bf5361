import BasketSupport

/// What a request sends.
package enum TransportBody: Sendable {
    case none
    case bytes([UInt8])
    /// A part of a file, read while it is sent. The part must be there in full.
    case file(any File, offset: Int64, length: Int64)

    package var length: Int64 {
        switch self {
        case .none: 0
        case .bytes(let bytes): Int64(bytes.count)
        case .file(_, _, let length): length
        }
    }

    package var isNone: Bool {
        if case .none = self { true } else { false }
    }

    /// The next bytes from a place in the body on; fewer than asked for only at its end.
    package func read(at position: Int64, upTo count: Int) throws(TransportError) -> [UInt8] {
        let count = Int(min(Int64(count), length - position))
        switch self {
        case .none: return []
        case .bytes(let bytes): return Array(bytes[Int(position)..<Int(position) + count])
        case .file(let file, let offset, _):
            let bytes: [UInt8]
            do {
                bytes = try file.read(at: offset + position, count: count)
            } catch {
                throw .source(error)
            }
            // A body that is shorter than announced would leave the server waiting.
            guard bytes.count == count else { throw .sourceTooShort }
            return bytes
        }
    }
}
