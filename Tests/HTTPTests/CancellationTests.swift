import BasketHTTP
import BasketSupport
import TestSupport
import Testing

@Suite("A handler", .timeLimit(.minutes(60)))
struct CancellationTests {
    @Test("is cancelled when its client goes away while it waits", arguments: [true, false])
    func clientGone(hasBody: Bool) async throws {
        let started = Signal()
        let cancelled = Signal()
        try await withServer(
            answer: Answering { request in
                if hasBody { _ = try? await request.body.collect(upTo: 10) }
                started.happen()
                await waitForCancellation()
                cancelled.happen()
                return .text("nobody reads this")
            }
        ) { server in
            let kept = try await client {
                let client = try WireClient(port: server.port)
                try client.send(
                    "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: \(hasBody ? 3 : 0)\r\n\r\n")
                if hasBody { try client.send("abc") }
                return Kept(client)
            }
            await started.wait()
            kept.drop()
            await cancelled.wait()
        }
    }

    @Test("is cancelled while it waits for a body that will not come")
    func waitsForBody() async throws {
        let cancelled = Signal()
        try await withServer(
            answer: Answering { request in
                do { _ = try await request.body.next() } catch { cancelled.happen() }
                return .text("")
            }
        ) { server in
            try await client {
                let client = try WireClient(port: server.port)
                try client.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n")
            }
            await cancelled.wait()
        }
    }

    @Test("that does not heed its cancellation does not keep the connection, nor hurt the next one")
    func heedless() async throws {
        let started = Signal()
        let end = Signal()
        let ended = Signal()
        try await withServer(
            answer: Answering { request in
                guard request.path[0] == "stuck" else { return .text("fine") }
                started.happen()
                await end.wait()
                defer { ended.happen() }
                return .text("too late")
            }
        ) { server in
            let kept = try await client {
                let client = try WireClient(port: server.port)
                try client.send("GET /stuck HTTP/1.1\r\nHost: h\r\n\r\n")
                return Kept(client)
            }
            await started.wait()
            kept.drop()
            while server.statistics.openConnections > 0 { await Task.yield() }
            try await client {
                let client = try WireClient(port: server.port)
                try client.send("GET /other HTTP/1.1\r\nHost: h\r\n\r\n")
                #expect(try client.answer().text == "fine")
            }
            end.happen()
            await ended.wait()
        }
    }

    @Test("that answers at once answers also who sends no more after its request")
    func halfClosed() async throws {
        try await withServer(answer: Answering { _ in .text("hello") }) { server in
            try await client {
                for _ in 0..<50 {
                    let client = try WireClient(port: server.port)
                    try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                    client.finishSending()
                    #expect(try client.answer().text == "hello")
                }
            }
        }
    }

    @Test("survives clients that come and go at any moment", arguments: UInt64(0)..<4)
    func churn(seed: UInt64) async throws {
        try await withServer(
            answer: Answering { request in
                switch request.path[0] {
                case "stream":
                    return HTTPResponse(
                        status: 200,
                        body: .stream(
                            HTTPStream { writer in
                                for _ in 0..<20 {
                                    try await writer.write([UInt8](repeating: 1, count: 5000))
                                    await Task.yield()
                                }
                            }))
                case "wait":
                    for _ in 0..<20 { await Task.yield() }
                    return .text("waited")
                default:
                    let count = try? await request.body.collect(upTo: 1 << 20).count
                    return .text("\(count ?? -1)")
                }
            }
        ) { server in
            try await client {
                var random = SeededGenerator(seed: seed)
                let requests = [
                    "GET /stream HTTP/1.1\r\nHost: h\r\n\r\n",
                    "GET /wait HTTP/1.1\r\nHost: h\r\n\r\n",
                    "PUT /body HTTP/1.1\r\nHost: h\r\nContent-Length: 20\r\n\r\n01234567890123456789",
                    "PUT /body HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n",
                ]
                for _ in 0..<300 {
                    let client = try WireClient(port: server.port)
                    let bytes = Array(requests[Int(random.next() % 4)].utf8)
                    try client.send(
                        Array(bytes.prefix(Int(random.next() % UInt64(bytes.count + 20)))))
                    if random.next() % 3 == 0 { client.finishSending() }
                }
                let last = try WireClient(port: server.port)
                try last.send(requests[1])
                #expect(try last.answer().text == "waited")
            }
            while server.statistics.activeRequests > 0 { await Task.yield() }
        }
    }
}
