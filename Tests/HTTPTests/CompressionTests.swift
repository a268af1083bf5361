import BasketHTTP
import BasketSupport
import CZlib
import TestSupport
import Testing

@Suite("Compression", .timeLimit(.minutes(60)))
struct CompressionTests {
    private static let long = String(repeating: "{\"name\":\"photo\"},", count: 5000)

    private static func get(
        _ response: @escaping @Sendable () -> HTTPResponse, accepting coding: String?,
        method: String = "GET"
    ) async throws -> WireAnswer {
        try await withServer(answer: Answering { _ in response() }) { server in
            try await client {
                let client = try WireClient(port: server.port)
                let header = coding.map { "Accept-Encoding: \($0)\r\n" } ?? ""
                try client.send("\(method) / HTTP/1.1\r\nHost: h\r\n\(header)\r\n")
                return try client.answer(toHead: method == "HEAD")
            }
        }
    }

    @Test(
        "is used for JSON when it is asked for",
        arguments: [
            ("gzip", true), ("br, gzip;q=0.5", true), ("*", true), ("GZIP ; Q=1.0", true),
            ("gzip;q=0", false), ("identity, gzip;q=0.5", false), ("*;q=0, gzip", true),
            ("gzip;q=0, *", false), ("gzip, x\u{600}, gzip;q=0", false), ("br", false),
            ("g zip", false),
            ("gzip;q=banana", false), ("", false),
            (nil, false),
        ] as [(String?, Bool)])
    func asked(coding: String?, isUsed: Bool) async throws {
        let answer = try await Self.get(
            { .text(Self.long, type: "application/json") }, accepting: coding)
        #expect(answer.headers["Vary"] == "Accept-Encoding")
        #expect((answer.headers["Content-Encoding"] == "gzip") == isUsed)
        #expect(isUsed ? answer.body.count < 2000 : answer.text == Self.long)
        if isUsed { #expect(try inflated(answer.body) == Array(Self.long.utf8)) }
    }

    @Test(
        "is for JSON only, and for more than a little of it",
        arguments: [
            ("application/json; charset=utf-8", 5000, true),
            ("application/problem+json", 5000, true),
            ("application/json", 1024, true), ("application/json", 1000, false),
            ("text/plain", 5000, false), ("application/octet-stream", 5000, false),
        ])
    func kinds(type: String, size: Int, isUsed: Bool) async throws {
        let text = String(repeating: "a", count: size)
        let answer = try await Self.get({ .text(text, type: type) }, accepting: "gzip")
        #expect((answer.headers["Content-Encoding"] == "gzip") == isUsed)
    }

    @Test("is left out where it saves nothing")
    func incompressible() async throws {
        var random = SeededGenerator(seed: 1)
        let bytes = random.bytes(3000)
        let answer = try await Self.get(
            {
                HTTPResponse(
                    status: 200, headers: ["Content-Type": "application/json"], body: .bytes(bytes))
            },
            accepting: "gzip")
        #expect(answer.body == bytes && answer.headers["Content-Encoding"] == nil)
    }

    @Test("of a stream lets each line through when it is written")
    func stream() async throws {
        let next = Signal()
        try await withServer(
            answer: Answering { _ in
                HTTPResponse(
                    status: 200, headers: ["Content-Type": "application/x-ndjson"],
                    body: .stream(
                        HTTPStream { writer in
                            try await writer.write(Array("{\"a\":1}\n".utf8))
                            await next.wait()
                            try await writer.write(Array(Self.long.utf8))
                        }))
            }
        ) { server in
            try await client {
                let client = try WireClient(port: server.port)
                try client.send("GET / HTTP/1.1\r\nHost: h\r\nAccept-Encoding: gzip\r\n\r\n")
                #expect(try client.head()[header: "Content-Encoding"] == "gzip")
                var body = try client.chunk() ?? []
                #expect(try inflated(body) == Array("{\"a\":1}\n".utf8))
                next.happen()
                while let chunk = try client.chunk() { body += chunk }
                #expect(try inflated(body) == Array(("{\"a\":1}\n" + Self.long).utf8))
            }
        }
    }

    @Test("never touches events")
    func events() async throws {
        let answer = try await Self.get(
            {
                HTTPResponse(
                    status: 200, headers: ["Content-Type": "text/event-stream"],
                    body: .stream(
                        HTTPStream { try await $0.write(ServerSentEvent(data: Self.long).bytes) }))
            }, accepting: "gzip")
        #expect(answer.headers["Content-Encoding"] == nil && answer.text.hasPrefix("data: {"))
    }

    @Test("tells HEAD the length that GET has")
    func head() async throws {
        let response: @Sendable () -> HTTPResponse = { .text(Self.long, type: "application/json") }
        let get = try await Self.get(response, accepting: "gzip")
        let head = try await Self.get(response, accepting: "gzip", method: "HEAD")
        #expect(head.headers["Content-Length"] == String(get.body.count))
    }
}

/// What gzip's bytes hold, as far as they came.
private func inflated(_ bytes: [UInt8]) throws -> [UInt8] {
    var stream = z_stream()
    let size = CInt(MemoryLayout<z_stream>.size)
    guard inflateInit2_(&stream, 31, zlibVersion(), size) == Z_OK else {
        throw WireFailure("no inflater")
    }
    defer { inflateEnd(&stream) }
    var output = [UInt8](repeating: 0, count: 1 << 20)
    var input = bytes
    let status = input.withUnsafeMutableBufferPointer { input in
        output.withUnsafeMutableBufferPointer { output in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(input.count)
            stream.next_out = output.baseAddress
            stream.avail_out = UInt32(output.count)
            return inflate(&stream, Z_SYNC_FLUSH)
        }
    }
    guard status == Z_OK || status == Z_STREAM_END else {
        throw WireFailure("no gzip: \(status)")
    }
    return Array(output.prefix(output.count - Int(stream.avail_out)))
}
