import BasketHTTP
import BasketSupport
import TestSupport
import Testing

@Suite("A server that stops", .timeLimit(.minutes(60)))
struct StopTests {
    private static func server(
        _ answer: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
    ) throws -> HTTPServer {
        let server = try HTTPServer(
            configuration: HTTPServerConfiguration(
                listener: .address(ListeningAddress(host: "127.0.0.1", port: 0)), workers: 2,
                limits: .patient),
            handler: TestHandler(answer: answer), world: .live(log: .silent))
        try server.start()
        return server
    }

    @Test(
        "lets a request under way finish, answers one more on its connection, and takes no new one")
    func finishes() async throws {
        let started = Signal()
        let mayFinish = Signal()
        let server = try Self.server { request in
            if request.path[0] == "wait" {
                started.happen()
                await mayFinish.wait()
            }
            return .text(request.path[0])
        }
        let (waiting, idle) = try await client {
            let waiting = try WireClient(port: server.port)
            try waiting.send("GET /wait HTTP/1.1\r\nHost: h\r\n\r\n")
            let idle = try WireClient(port: server.port)
            try idle.send("GET /first HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try idle.answer().headers["Connection"] == nil)
            return (Kept(waiting), Kept(idle))
        }
        await started.wait()
        let stopped = Signal()
        async let stop: Void = {
            await server.stop(grace: .seconds(30))
            stopped.happen()
        }()
        try await client {
            // The port is closed once this fails.
            while (try? WireClient(port: server.port)) != nil {}
            try idle.use { idle in
                try idle.send("GET /second HTTP/1.1\r\nHost: h\r\n\r\n")
                let answer = try idle.answer()
                #expect(answer.text == "second")
                #expect(answer.headers["Connection"] == "close")
                #expect(try idle.isClosed())
            }
            mayFinish.happen()
            let answer = try waiting.use { try $0.answer() }
            #expect(answer.text == "wait")
        }
        await stop
        await stopped.wait()
        #expect(server.statistics.openConnections == 0)
    }

    @Test("waits no longer than its grace for those who do not end", arguments: [true, false])
    func grace(isStream: Bool) async throws {
        let started = Signal()
        let end = Signal()
        let server = try Self.server { _ in
            guard isStream else {
                started.happen()
                await end.wait()
                return .text("too late")
            }
            return HTTPResponse(
                status: 200,
                body: .stream(
                    HTTPStream { writer in
                        try await writer.write([1])
                        started.happen()
                        await end.wait()
                    }))
        }
        let kept = try await client {
            let client = try WireClient(port: server.port)
            try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            return Kept(client)
        }
        await started.wait()
        await server.stop(grace: .milliseconds(20))
        end.happen()
        try await client {
            // Cut, not ended: nobody takes this for a whole answer.
            let answer = try kept.use { try? $0.answer() }
            #expect(answer?.status == nil)
        }
    }

    @Test("closes the connections of event streams at once, whoever else is waited for")
    func closesStreams() async throws {
        let started = Signal()
        let mayFinish = Signal()
        let server = try Self.server { request in
            if request.path[0] == "wait" {
                started.happen()
                await mayFinish.wait()
                return .text("done")
            }
            return HTTPResponse(
                status: 200, headers: ["Content-Type": "text/event-stream"],
                body: .stream(
                    HTTPStream { writer in
                        try await writer.write(ServerSentEvent(data: "hello").bytes)
                        await waitForCancellation()
                    }))
        }
        let (waiting, stream) = try await client {
            let waiting = try WireClient(port: server.port)
            try waiting.send("GET /wait HTTP/1.1\r\nHost: h\r\n\r\n")
            let stream = try WireClient(port: server.port)
            try stream.send("GET /events HTTP/1.1\r\nHost: h\r\n\r\n")
            _ = try stream.chunkOfStream()
            return (Kept(waiting), Kept(stream))
        }
        await started.wait()
        async let stop: Void = server.stop(grace: .seconds(30))
        try await client {
            defer { mayFinish.happen() }
            try stream.use { stream in
                let chunk = try stream.chunk()
                let isClosed = try stream.isClosed()
                #expect(chunk == nil && isClosed)
            }
        }
        let last = try await client { try waiting.use { try $0.answer().text } }
        #expect(last == "done")
        await stop
    }

    @Test("is not disturbed by what is going on", arguments: UInt64(0)..<10)
    func underLoad(seed: UInt64) async throws {
        let server = try Self.server { request in
            if request.path[0] == "wait" { await Task.yield() }
            if request.path[0] == "stream" {
                return HTTPResponse(
                    status: 200, headers: ["Content-Type": "text/event-stream"],
                    body: .stream(
                        HTTPStream { writer in
                            while true {
                                try await writer.write([1, 2, 3])
                                await Task.yield()
                            }
                        }))
            }
            _ = try? await request.body.collect(upTo: 100)
            return .text("")
        }
        let port = server.port
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<6 {
                group.addTask {
                    try await client {
                        while let client = try? WireClient(port: port) {
                            let path = ["wait", "now", "stream"][number % 3]
                            guard
                                (try? client.send("GET /\(path) HTTP/1.1\r\nHost: h\r\n\r\n"))
                                    != nil
                            else { continue }
                            _ = try? number % 3 == 2 ? client.chunkOfStream() : client.answer().body
                        }
                    }
                }
            }
            for _ in 0..<(seed * 300) { await Task.yield() }
            await server.stop(grace: .milliseconds(Int64(seed)))
            try await group.waitForAll()
        }
        #expect(server.statistics.openConnections == 0)
    }

    @Test("may be stopped twice, or without having started, and does not start again")
    func twice() async throws {
        let server = try Self.server { _ in .text("") }
        await server.stop(grace: .zero)
        await server.stop(grace: .zero)
        #expect(throws: HTTPServerError.startedTwice) { try server.start() }

        let other = try HTTPServer(
            configuration: HTTPServerConfiguration(
                listener: .address(ListeningAddress(host: "127.0.0.1", port: 0))),
            handler: TestHandler { _ in .text("") }, world: .live(log: .silent))
        await other.stop(grace: .zero)
    }
}

extension WireClient {
    fileprivate func chunkOfStream() throws -> [UInt8] {
        _ = try head()
        return try chunk() ?? []
    }
}
