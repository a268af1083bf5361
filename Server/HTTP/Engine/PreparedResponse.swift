import BasketSupport
import CMicroHTTPD
import Glibc

/// An answer in the form that libmicrohttpd sends.
///
/// Unchecked: the response is made whole here and not changed afterwards; libmicrohttpd counts its
/// references under a lock of its own.
final class PreparedResponse: @unchecked Sendable {
    /// How much of a body is read from its pieces at a time.
    private static let blockBytes = 128 << 10

    let status: Int
    let logLabel: String?
    /// What goes out when all goes well; nil for a stream.
    let bodyBytes: Int64?
    let stream: StreamChannel?
    /// What to send when libmicrohttpd no longer takes an answer.
    let source: HTTPResponse
    private let id: String
    private let pointer: OpaquePointer
    private let reader: PieceReader?

    init(_ response: HTTPResponse, id: String, engine: Engine, closes: Bool, stream: StreamChannel?)
    {
        source = response
        status = response.status
        logLabel = response.logLabel
        bodyBytes = response.body.length
        self.stream = stream
        self.id = id
        var reader: PieceReader?
        switch response.body {
        case .none: pointer = Self.make([])
        case .bytes(let bytes): pointer = Self.make(bytes)
        case .pieces(let pieces): (pointer, reader) = Self.make(pieces, engine: engine)
        case .stream:
            pointer = Self.make(stream ?? StreamChannel(capacity: 0))
            // There is no producer for HEAD. libmicrohttpd would send the end of the chunks though
            // none may follow.
            if stream == nil { basket_mhd_omit_length(pointer) }
        }
        self.reader = reader
        MHD_add_response_header(pointer, "X-Request-Id", id)
        if closes { MHD_add_response_header(pointer, "Connection", "close") }
        for (name, value) in response.headers.fields {
            let added = MHD_add_response_header(pointer, name, value)
            if added != .YES {
                engine.world.log.error(
                    "a header cannot be sent", ["id": .text(id), "name": .text(name)])
            }
        }
    }

    deinit {
        MHD_destroy_response(pointer)
    }

    /// Hands the answer to libmicrohttpd; only from a worker's callback.
    func queue(on connection: MHDConnection) -> MHD_Result {
        stream?.attach(connection)
        reader?.attach(connection)
        return LibraryAnswers.queue(connection.pointer, UInt32(status), pointer)
    }

    /// The answer as bytes, when its body is at hand.
    func message(date: String) -> [UInt8]? {
        let body: [UInt8]
        switch source.body {
        case .none: body = []
        case .bytes(let bytes): body = bytes
        case .pieces, .stream: return nil
        }
        let reason = String(cString: MHD_get_reason_phrase_for(UInt32(status)))
        var head = "HTTP/1.1 \(status) \(reason)\r\nDate: \(date)\r\nConnection: close\r\n"
        head += "X-Request-Id: \(id)\r\nContent-Length: \(body.count)\r\n"
        // libmicrohttpd refuses line breaks in headers; here we do.
        for (name, value) in source.headers.fields
        where !(name + value).utf8.contains(where: { $0 == 13 || $0 == 10 }) {
            head += "\(name): \(value)\r\n"
        }
        return Array((head + "\r\n").utf8) + body
    }

    private static func make(_ bytes: [UInt8]) -> OpaquePointer {
        bytes.withUnsafeBytes { bytes in
            // libmicrohttpd copies the memory, though its declaration asks for one that it may change.
            let memory = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
            return made(MHD_create_response_from_buffer(bytes.count, memory, .RESPMEM_MUST_COPY))
        }
    }

    private static func make(
        _ pieces: [HTTPPiece], engine: Engine
    ) -> (OpaquePointer, PieceReader?) {
        let length = pieces.reduce(0) { $0 + $1.length }
        if length == 0 { return (make([]), nil) }
        // Over TLS libmicrohttpd would read such a file in blocks of 4 KiB.
        // And with one that is too short it would try for ever to send what is not there.
        if !engine.isSecure, pieces.count == 1, case .file(let file, let offset, _) = pieces[0],
            let descriptor = file.descriptor, let size = try? file.size(), size >= offset + length
        {
            // A copy, because libmicrohttpd closes what it gets.
            let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
            if copy >= 0 {
                let response = MHD_create_response_from_fd_at_offset64(
                    UInt64(length), copy, UInt64(offset))
                return (made(response), nil)
            }
        }
        let reader = PieceReader(pieces, log: engine.world.log)
        let response = made(
            MHD_create_response_from_callback(
                UInt64(length), Int(min(length, Int64(blockBytes))),
                { context, position, target, limit in
                    guard let context, let target else { return MHD_CONTENT_READER_END_WITH_ERROR }
                    return Unmanaged<PieceReader>.fromOpaque(context).takeUnretainedValue()
                        .read(at: position, into: target, atMost: limit)
                }, Unmanaged.passRetained(reader).toOpaque(),
                { context in
                    guard let context else { return }
                    Unmanaged<PieceReader>.fromOpaque(context).release()
                }))
        return (response, reader)
    }

    private static func make(_ stream: StreamChannel) -> OpaquePointer {
        made(
            MHD_create_response_from_callback(
                // Unknown length; the block size counts for a client of HTTP/1.0 only, and costs each
                // stream its memory.
                UInt64.max, 4 << 10,
                { context, _, target, limit in
                    guard let context, let target else { return MHD_CONTENT_READER_END_WITH_ERROR }
                    return Unmanaged<StreamChannel>.fromOpaque(context).takeUnretainedValue()
                        .read(into: target, atMost: limit)
                }, Unmanaged.passRetained(stream).toOpaque(),
                { context in
                    guard let context else { return }
                    Unmanaged<StreamChannel>.fromOpaque(context).release()
                }))
    }

    private static func made(_ response: OpaquePointer?) -> OpaquePointer {
        guard let response else { preconditionFailure("there is no memory for a response") }
        return response
    }
}
