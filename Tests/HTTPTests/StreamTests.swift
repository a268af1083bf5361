import BasketHTTP
import BasketSupport
import TestSupport
import Testing

@Suite("A stream", .timeLimit(.minutes(60)))
struct StreamTests {
    private static func stream(
        _ type: String = "text/event-stream",
        _ produce: @escaping @Sendable (HTTPStreamWriter) async throws -> Void
    ) -> HTTPResponse {
        HTTPResponse(
            status: 200, headers: ["Content-Type": type], body: .stream(HTTPStream(produce)))
    }

    @Test("sends each part when it is written, and ends with its producer")
    func parts() async throws {
        let next = [Signal(), Signal()]
        try await withServer(
            answer: Answering { _ in
                Self.stream { writer in
                    try await writer.write(Array("one".utf8))
                    await next[0].wait()
                    try await writer.write(Array("two".utf8))
                    await next[1].wait()
                    try await writer.write([])
                    try await writer.write(Array("three".utf8))
                }
            }
        ) { server in
            try await client {
                let client = try WireClient(port: server.port)
                try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                #expect(try client.head()[header: "Transfer-Encoding"] == "chunked")
                #expect(try client.chunk() == Array("one".utf8))
                next[0].happen()
                #expect(try client.chunk() == Array("two".utf8))
                next[1].happen()
                #expect(try client.chunk() == Array("three".utf8))
                #expect(try client.chunk() == nil)
                // The connection goes on.
                try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                #expect(try client.answer().text == "onetwothree")
            }
        }
    }

    @Test("arrives whole, whatever the sizes of its parts", arguments: UInt64(0)..<6)
    func whole(seed: UInt64) async throws {
        try await withServer(
            answer: Answering { request in
                Self.stream("application/octet-stream") { writer in
                    var random = SeededGenerator(seed: seed)
                    for _ in 0..<20 {
                        try await writer.write(
                            someBytes(Int(random.next() % 100_000), seed: random.next()))
                    }
                }
            }
        ) { server in
            try await client {
                var random = SeededGenerator(seed: seed)
                let expected = (0..<20).flatMap { _ in
                    someBytes(Int(random.next() % 100_000), seed: random.next())
                }
                for version in ["1.1", "1.0"] {
                    let client = try WireClient(port: server.port)
                    try client.send("GET / HTTP/\(version)\r\nHost: h\r\n\r\n")
                    #expect(try client.answer().body == expected)
                }
            }
        }
    }

    @Test("holds its producer back while the client does not read")
    func backPressure() async throws {
        let written = Slot(0)
        let cancelled = Signal()
        try await withServer(
            answer: Answering { _ in
                Self.stream { writer in
                    defer { cancelled.happen() }
                    while true {
                        try await writer.write([UInt8](repeating: 1, count: 16 << 10))
                        written.update { $0 += 16 << 10 }
                    }
                }
            }
        ) { server in
            let client = try await client {
                let client = try WireClient(port: server.port, receiveBuffer: 4096)
                try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                _ = try client.head()
                return Kept(client)
            }
            // Nothing is read any more: the producer comes to a stop when the buffers are full.
            var before = -1
            while before != written.value {
                before = written.value ?? 0
                for _ in 0..<2000 { await Task.yield() }
            }
            #expect(before < 16 << 20)
            client.drop()
            await cancelled.wait()
        }
    }

    @Test(
        "is cancelled at once when its client goes away, though nothing is sent",
        arguments: [true, false])
    func clientGone(heedsCancellation: Bool) async throws {
        let cancelled = Signal()
        let end = Signal()
        let statistics = try await withServer(
            answer: Answering { _ in
                Self.stream { writer in
                    try await writer.write(Array("hello".utf8))
                    await waitForCancellation()
                    cancelled.happen()
                    if !heedsCancellation { await end.wait() }
                }
            }
        ) { server in
            try await client {
                let client = try WireClient(port: server.port)
                try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                _ = try client.head()
                #expect(try client.chunk() == Array("hello".utf8))
            }
            await cancelled.wait()
            // The connection is given back, whether or not the producer ends.
            while server.statistics.openConnections > 0 { await Task.yield() }
            end.happen()
            return server.statistics
        }
        #expect(statistics.openConnections == 0)
        #expect(statistics.durations.allSatisfy { $0 == 0 }, "a stream's length says nothing")
    }

    @Test("that fails breaks the connection off, so that its client cannot take it for whole")
    func fails() async throws {
        struct Failure: Error {}
        try await withServer(
            answer: Answering { _ in
                Self.stream { writer in
                    try await writer.write(Array("half".utf8))
                    throw Failure()
                }
            }
        ) { server in
            try await client {
                let client = try WireClient(port: server.port)
                try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                let all = String(decoding: try client.readToEnd(), as: UTF8.self)
                #expect(all.hasSuffix("half\r\n"))
            }
        }
    }

    @Test("of events ends cleanly when the server stops")
    func endsAtStop() async throws {
        try await withServer(
            answer: Answering { _ in
                Self.stream { writer in
                    try await writer.write(ServerSentEvent(data: "hello").bytes)
                    await waitForCancellation()
                    try Task.checkCancellation()
                }
            }
        ) { server in
            let kept = try await client {
                let client = try WireClient(port: server.port)
                try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                _ = try client.head()
                _ = try client.chunk()
                return Kept(client)
            }
            await server.stop(grace: .seconds(20))
            try await client {
                let last = try kept.use { try $0.chunk() }
                #expect(last == nil)
            }
        }
    }

    @Test("has no body for HEAD, and its producer does not run")
    func head() async throws {
        let hasRun = Slot(false)
        try await withServer(answer: Answering { _ in Self.stream { _ in hasRun.value = true } }) {
            server in
            try await client {
                let client = try WireClient(port: server.port)
                try client.send("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n")
                let answer = try client.answer(toHead: true)
                #expect(answer.status == 200 && answer.headers["Content-Length"] == nil)
                #expect(try client.isClosed())
            }
        }
        #expect(hasRun.value == false)
    }

    @Test("may be one of a thousand that are idle, and all hear what is written")
    func thousand() async throws {
        let mayWrite = Signal()
        let waiting = Slot(0)
        try await withServer(
            answer: Answering { _ in
                Self.stream { writer in
                    waiting.update { $0 += 1 }
                    await mayWrite.wait()
                    try await writer.write(Array("now".utf8))
                }
            }
        ) { server in
            let kept = try await client {
                let clients = try (0..<1000).map { _ in try WireClient(port: server.port) }
                for client in clients { try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n") }
                for client in clients { _ = try client.head() }
                return Kept(clients)
            }
            while waiting.value != 1000 { await Task.yield() }
            #expect(server.statistics.openStreams == 1000)
            mayWrite.happen()
            try await client {
                for client in try kept.use({ $0 }) {
                    #expect(try client.chunk() == Array("now".utf8))
                    #expect(try client.chunk() == nil)
                }
            }
        }
    }
}
