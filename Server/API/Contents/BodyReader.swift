import BasketHTTP

/// Reads a request's body up to the largest file that is taken.
struct BodyReader {
    private let body: HTTPRequestBody
    private let limit: Int64
    private var received: Int64 = 0

    init(_ body: HTTPRequestBody, limit: Int64) {
        self.body = body
        self.limit = limit
    }

    /// The next piece; nil at the end.
    mutating func next() async throws -> [UInt8]? {
        guard let piece = try await body.next() else { return nil }
        received += Int64(piece.count)
        guard received <= limit else { throw Problem.fileTooLarge(limit: limit) }
        return piece
    }

    /// Everything up to about so many bytes: all of a small body, and the beginning of a large one.
    mutating func prefix(upTo count: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count, let piece = try await next() {
            if bytes.isEmpty { bytes = piece } else { bytes += piece }
        }
        return bytes
    }
}
