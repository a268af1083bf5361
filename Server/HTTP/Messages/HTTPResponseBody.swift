/// What follows the headers.
package enum HTTPResponseBody: Sendable {
    case none
    case bytes([UInt8])
    /// Pieces in their order, with a length known beforehand. A single region of a file that has a
    /// descriptor goes out by `sendfile`.
    case pieces([HTTPPiece])
    /// Bytes that come while the connection stays open: event streams, long lists.
    case stream(HTTPStream)

    /// How long the body will be; nil for a stream.
    package var length: Int64? {
        switch self {
        case .none: 0
        case .bytes(let bytes): Int64(bytes.count)
        case .pieces(let pieces): pieces.reduce(0) { $0 + $1.length }
        case .stream: nil
        }
    }
}
