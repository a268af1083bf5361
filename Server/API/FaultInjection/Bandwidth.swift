import BasketHTTP
import BasketSupport

/// A line that carries only so many bytes in a second, as a test asked for: in either direction, for one
/// request.
struct Bandwidth: Sendable {
    let bytesPerSecond: Int
    let world: World

    /// Sent in pieces of a tenth of a second, so that it flows and does not jump.
    private var pieceBytes: Int { max(1, min(64 << 10, bytesPerSecond / 10)) }

    func limit(_ body: HTTPRequestBody) -> HTTPRequestBody {
        if body.announcedLength == 0 { return body }
        return HTTPRequestBody(announcedLength: body.announcedLength) {
            let piece = try await body.next()
            if let piece { try await pass(piece.count) }
            return piece
        }
    }

    /// What comes slowly comes as a stream, and does not tell its length.
    func limit(_ body: HTTPResponseBody) -> HTTPResponseBody {
        switch body {
        case .none: body
        case .bytes(let bytes): .stream(HTTPStream { try await send(bytes, to: $0) })
        case .pieces(let pieces):
            .stream(
                HTTPStream { output in
                    for piece in pieces { try await send(piece, to: output) }
                })
        case .stream(let stream):
            .stream(
                HTTPStream { output in
                    try await stream.produce(
                        HTTPStreamWriter { bytes in try await send(bytes, to: output) })
                })
        }
    }

    private func send(_ piece: HTTPPiece, to output: HTTPStreamWriter) async throws {
        switch piece {
        case .bytes(let bytes): try await send(bytes, to: output)
        case .file(let file, let offset, let length):
            var sent: Int64 = 0
            while sent < length {
                let count = Int(min(Int64(pieceBytes), length - sent))
                try await pass(count)
                try await output.write(try file.read(at: offset + sent, count: count))
                sent += Int64(count)
            }
        }
    }

    private func send(_ bytes: [UInt8], to output: HTTPStreamWriter) async throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(pieceBytes)
            rest = rest.dropFirst(piece.count)
            try await pass(piece.count)
            try await output.write(Array(piece))
        }
    }

    private func pass(_ count: Int) async throws {
        try await world.sleep(
            .nanoseconds(Int64(Double(count) / Double(bytesPerSecond) * 1_000_000_000)))
    }
}
