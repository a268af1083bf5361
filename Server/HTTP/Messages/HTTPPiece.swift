import BasketSupport

/// A part of a body.
package enum HTTPPiece: Sendable {
    case bytes([UInt8])
    case file(any File, offset: Int64, length: Int64)

    package var length: Int64 {
        switch self {
        case .bytes(let bytes): Int64(bytes.count)
        case .file(_, _, let length): length
        }
    }
}
