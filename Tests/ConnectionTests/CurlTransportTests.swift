import BasketConnection
import BasketSupport
import Glibc
import Synchronization
import TestSupport
import Testing

@Suite("A transport over libcurl", .timeLimit(.minutes(60)))
struct CurlTransportTests {
    static let short = TransportTimeouts(
        connect: .seconds(20), firstByte: .milliseconds(250), stall: .milliseconds(250))

    /// What came of a request: the head and the body, or the error, and what had come until then.
    static func outcome(
        _ transport: CurlTransport, _ request: TransportRequest
    ) async -> (head: TransportResponse?, body: [UInt8], error: TransportError?) {
        var body: [UInt8] = []
        do {
            let head = try await transport.send(request) { _, bytes in body += bytes }
            return (head, body, nil)
        } catch {
            return (nil, body, error)
        }
    }

    static func outcome(
        of script: @escaping @Sendable (RawConnection, Int) throws -> Void,
        _ request: TransportRequest = TransportRequest("GET", "/")
    ) async throws -> (head: TransportResponse?, body: [UInt8], error: TransportError?) {
        let server = try RawServer(script)
        return await outcome(CurlTransport(try .of(server.url)), request)
    }

    // MARK: Answers

    @Test("brings an answer's head and body, past interim answers")
    func answer() async throws {
        let (head, body, error) = try await Self.outcome { connection, _ in
            _ = try connection.head()
            try connection.send(
                "HTTP/1.1 103 Early Hints\r\nX-A: no\r\n\r\nHTTP/1.1 404 Not here\r\nX-A:  a b \r\n"
                    + "content-TYPE: Text/Plain; charset=x\r\nContent-Length: 5\r\n\r\nhello")
            try connection.waitForClose()
        }
        #expect(error == nil)
        #expect(head?.status == 404)
        #expect(head?[header: "x-a"] == "a b")
        #expect(head?.mediaType == "text/plain")
        #expect(body == Array("hello".utf8))
    }

    @Test("lets no connection that the other side closed end the process")
    func brokenPipe() throws {
        _ = CurlTransport(try .of("http://127.0.0.1:1"))
        let before = signal(SIGPIPE, SIG_IGN)
        #expect(unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self))
    }

    @Test("uses a connection again")
    func keepAlive() async throws {
        let server = try RawServer { connection, number in
            while try connection.head() != nil {
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\(number)")
            }
        }
        let transport = CurlTransport(try .of(server.url))
        for _ in 0..<3 {
            let outcome = await Self.outcome(transport, TransportRequest("GET", "/"))
            #expect(outcome.body == Array("0".utf8))
        }
    }

    @Test("lets no short question wait for long bodies and answers, which wait for each other")
    func places() async throws {
        let server = try RawServer { connection, _ in
            while let head = try connection.head() {
                // Whoever sends or wants much is on a line that hardly moves.
                guard head.hasPrefix("GET /short ") else { return try connection.waitForClose() }
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
            }
        }
        let transport = CurlTransport(try .of(server.url), mostRequests: 8)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    var request = TransportRequest(
                        number.isMultiple(of: 2) ? "PUT" : "GET", "/long")
                    if number.isMultiple(of: 2) {
                        request.body = .bytes([UInt8](repeating: 1, count: 64 << 10))
                    } else {
                        request.isLong = true
                    }
                    _ = await Self.outcome(transport, request)
                }
            }
            try? await Task.sleep(for: .milliseconds(100))  // Until they have taken what they get.
            let request = TransportRequest("GET", "/short")
            let outcome = await withTaskGroup(of: [UInt8]?.self) { race in
                race.addTask { await Self.outcome(transport, request).body }
                race.addTask {
                    try? await Task.sleep(for: .seconds(600))
                    return nil
                }
                defer { race.cancelAll() }
                return await race.next() ?? nil
            }
            #expect(outcome == Array("hi".utf8))
            group.cancelAll()
        }
        withExtendedLifetime(server) {}
    }

    @Test("takes another connection when the one that it kept was closed")
    func deadConnection() async throws {
        let server = try RawServer { connection, number in
            _ = try connection.head()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\(number)")
        }
        let transport = CurlTransport(try .of(server.url))
        let first = await Self.outcome(transport, TransportRequest("GET", "/"))
        #expect(first.body == Array("0".utf8))
        try await Task.sleep(for: .milliseconds(100))  // The end of the connection is on its way.
        let second = await Self.outcome(transport, TransportRequest("PUT", "/", body: .bytes([1])))
        #expect(second.body == Array("1".utf8))
    }

    @Test("sends a part of a file, and tells how far it is")
    func upload() async throws {
        let content = someBytes(3 << 20, seed: 2)
        let scratch = try ScratchFile(content)
        let length = (2 << 20) + 5
        let server = try RawServer { connection, _ in
            guard let head = try connection.head() else { return }
            let isWhole = head.contains("Content-Length: \(length)\r\n") && head.hasPrefix("PATCH ")
            let got = try connection.read(length)
            let verdict = isWhole && got[...] == content[7..<7 + length] ? "same" : "else"
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n\(verdict)")
        }
        let newest = Mutex(TransferProgress())
        var request = TransportRequest(
            "PATCH", "/", body: .file(scratch.file, offset: 7, length: Int64(length)))
        request.progress = { progress in newest.withLock { $0 = progress } }
        let outcome = await Self.outcome(CurlTransport(try .of(server.url)), request)
        #expect(outcome.body == Array("same".utf8))
        #expect(newest.withLock { $0 } == TransferProgress(sent: Int64(length), received: 4))
    }

    @Test("says that a file is shorter than what should be sent of it")
    func shortFile() async throws {
        let scratch = try ScratchFile([1, 2, 3])
        let (_, _, error) = try await Self.outcome(
            of: { connection, _ in try connection.waitForClose() },
            TransportRequest("PUT", "/", body: .file(scratch.file, offset: 0, length: 4)))
        guard case .sourceTooShort? = error else { return #expect(Bool(false), "\(error as Any)") }
    }

    @Test("reaches a Unix socket")
    func unixSocket() async throws {
        let path = "/tmp/basket-conn-\(UInt64.random(in: 0 ... .max))"
        defer { try? LinuxFileSystem().remove(path) }
        let server = try RawServer(unixSocket: path) { connection, _ in
            _ = try connection.head()
            try connection.send("HTTP/1.1 204 Done\r\n\r\n")
        }
        let transport = CurlTransport(try .of("http://basket", unixSocket: path))
        let outcome = await Self.outcome(transport, TransportRequest("GET", "/"))
        withExtendedLifetime(server) { #expect(outcome.head?.status == 204) }
    }

    // MARK: Trouble

    @Test("says that nobody listens")
    func refused() async throws {
        let port = try RawServer { _, _ in }.port  // Gone at once.
        let outcome = await Self.outcome(
            CurlTransport(try .of("http://127.0.0.1:\(port)")), TransportRequest("GET", "/"))
        guard case .refused? = outcome.error else {
            return #expect(Bool(false), "\(outcome.error as Any)")
        }
    }

    @Test("says that there is no such name")
    func noName() async throws {
        let outcome = await Self.outcome(
            CurlTransport(try .of("http://nobody.invalid", allowsInsecureHTTP: true)),
            TransportRequest("GET", "/"))
        guard case .nameNotFound? = outcome.error else {
            return #expect(Bool(false), "\(outcome.error as Any)")
        }
    }

    @Test("hands on what came before an answer broke off", arguments: [false, true])
    func breaksOff(byReset: Bool) async throws {
        let hasCome = Semaphore()
        // Whoever takes the bytes may have to wait for its turn: the server stands still meanwhile.
        let request = TransportRequest(
            "GET", "/", timeouts: TransportTimeouts(stall: .seconds(1200)))
        let server = try RawServer { connection, _ in
            _ = try connection.head()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello")
            guard byReset else { return }
            hasCome.wait()
            connection.reset()
        }
        var body: [UInt8] = []
        var error: TransportError?
        do {
            let transport = CurlTransport(try .of(server.url))
            _ = try await transport.send(request) { _, bytes in
                body += bytes
                hasCome.signal()
            }
        } catch let failure as TransportError {
            error = failure
        }
        guard case .broken? = error else { return #expect(Bool(false), "\(error as Any)") }
        #expect(body == Array("hello".utf8))
    }

    @Test("ends what stands still, and says in which way")
    func stalls() async throws {
        let request = TransportRequest("GET", "/", timeouts: Self.short)
        let silent = try await Self.outcome(
            of: { connection, _ in try connection.waitForClose() }, request)
        guard case .noAnswer? = silent.error else {
            return #expect(Bool(false), "\(silent.error as Any)")
        }
        let patient = TransportTimeouts(stall: .milliseconds(250))
        let stalled = try await Self.outcome(
            of: { connection, _ in
                _ = try connection.head()
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello")
                try connection.waitForClose()
            }, TransportRequest("GET", "/", timeouts: patient))
        guard case .stalled? = stalled.error else {
            return #expect(Bool(false), "\(stalled.error as Any)")
        }
        let isOver = Semaphore()
        let unread = try await Self.outcome(
            of: { connection, _ in
                _ = try connection.head()
                isOver.wait()
            },
            TransportRequest(
                "PUT", "/", body: .bytes(someBytes(32 << 20, seed: 3)), timeouts: Self.short))
        isOver.signal()
        guard case .stalled? = unread.error else {
            return #expect(Bool(false), "\(unread.error as Any)")
        }
    }

    @Test("gives up in time on who takes connections and says nothing, however many wait for one")
    func silentHandshake() async throws {
        let server = try RawServer { connection, _ in try connection.waitForClose() }
        let transport = CurlTransport(try .of("https://127.0.0.1:\(server.port)"))
        let request = TransportRequest(
            "GET", "/", timeouts: TransportTimeouts(connect: .seconds(5)))
        let clock = ContinuousClock()
        let start = clock.now
        await withTaskGroup(of: TransportError?.self) { group in
            for _ in 0..<40 {
                group.addTask { await Self.outcome(transport, request).error }
            }
            for await error in group {
                guard case .connectTimedOut? = error else {
                    return #expect(Bool(false), "\(error as Any)")
                }
            }
        }
        withExtendedLifetime(server) {}
        // One after another they would take longer.
        #expect(clock.now - start < .seconds(150))
    }

    @Test("never ends what is slow and goes on")
    func slow() async throws {
        // As long as a busy machine may forget about one of the two.
        let stall = TransportTimeouts(stall: .seconds(3))
        let (_, body, error) = try await Self.outcome(
            of: { connection, _ in
                _ = try connection.head()
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n")
                for _ in 0..<15 {
                    usleep(250_000)
                    try connection.send("x")
                }
            }, TransportRequest("GET", "/", timeouts: stall))
        #expect(error == nil)
        #expect(body.count == 15)
    }

    @Test("never ends a body that is slow and goes on, nor its answer that comes when it is there")
    func slowBody() async throws {
        let length = 1 << 20
        let (head, _, error) = try await Self.outcome(
            of: { connection, _ in
                connection.takeLittle()
                _ = try connection.head()
                for _ in 0..<length / 8192 {
                    _ = try connection.read(8192)
                    usleep(30_000)
                }
                try connection.send("HTTP/1.1 204 Done\r\n\r\n")
            },
            TransportRequest(
                "PUT", "/", body: .bytes(someBytes(length, seed: 4)),
                timeouts: TransportTimeouts(firstByte: .seconds(3), stall: .seconds(3))))
        #expect(error == nil)
        #expect(head?.status == 204)
    }

    @Test(
        "refuses what is no HTTP of bearable size",
        arguments: [
            "SSH-2.0-OpenSSH_9.2\r\n",
            "HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 70_000),
            "HTTP/1.1 2000 OK\r\n\r\n",
        ])
    func notHTTP(answer: String) async throws {
        let (_, _, error) = try await Self.outcome { connection, _ in
            _ = try connection.head()
            try connection.send(answer + "\r\n\r\n")
        }
        guard case .notUnderstood? = error else { return #expect(Bool(false), "\(error as Any)") }
    }

    @Test("sends no header that would begin another one")
    func injection() async throws {
        let (_, _, error) = try await Self.outcome(
            of: { _, _ in },
            TransportRequest("GET", "/", headers: [("X-A", "a\r\nX-B: b")]))
        guard case .notSendable? = error else { return #expect(Bool(false), "\(error as Any)") }
    }

    @Test("tells its consumer's error from its own")
    func consumer() async throws {
        struct Enough: Error {}
        let server = try RawServer { connection, _ in
            _ = try connection.head()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
            try connection.waitForClose()
        }
        let transport = CurlTransport(try .of(server.url))
        do {
            _ = try await transport.send(TransportRequest("GET", "/")) { _, _ in throw Enough() }
            Issue.record("nothing was thrown")
        } catch {
            guard case .consumer(let inner) = error else { return #expect(Bool(false), "\(error)") }
            #expect(inner is Enough)
        }
    }
}
