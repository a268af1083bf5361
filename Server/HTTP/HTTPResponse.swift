import BasketSupport

/// One answer. The connection adds `Date`, `Content-Length`, the framing, and the request's id.
package struct HTTPResponse: Sendable {
    package var status: Int
    package var headers: HTTPHeaders
    package var body: HTTPResponseBody

    package init(status: Int, headers: HTTPHeaders = [:], body: HTTPResponseBody = .none) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

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

/// Produces a body of unknown length.
package struct HTTPStream: Sendable {
    /// Writes the body; its return ends it. It runs in a task of its own, which is cancelled when
    /// the client goes away or the server stops.
    package let produce: @Sendable (HTTPStreamWriter) async throws -> Void

    package init(_ produce: @escaping @Sendable (HTTPStreamWriter) async throws -> Void) {
        self.produce = produce
    }
}

/// Where a stream's producer writes.
package struct HTTPStreamWriter: Sendable {
    private let send: @Sendable ([UInt8]) async throws -> Void

    package init(send: @escaping @Sendable ([UInt8]) async throws -> Void) {
        self.send = send
    }

    /// Returns when there is room for more; a slow reader holds its producer back, and nobody else.
    package func write(_ bytes: [UInt8]) async throws {
        try await send(bytes)
    }
}
