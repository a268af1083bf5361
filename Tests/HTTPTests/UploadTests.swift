import BasketHTTP
import BasketSupport
import TestSupport
import Testing

@Suite("An upload", .timeLimit(.minutes(60)))
struct UploadTests {
    private static let sums: @Sendable (HTTPRequest) async -> HTTPResponse = { request in
        var count = 0
        var sum: UInt = 0
        do {
            while let piece = try await request.body.next() {
                count += piece.count
                sum = checksum(piece, after: sum)
            }
            return .text("\(count) \(sum) \(request.body.announcedLength ?? -1)")
        } catch {
            return .text("\(error)", status: 400)
        }
    }

    @Test(
        "arrives whole, in one part or byte by byte", arguments: [0, 1, 5000, 300_000, 3_000_000])
    func arrives(size: Int) async throws {
        try await withServer(answer: Answering(Self.sums)) { server in
            try await client {
                let body = someBytes(size, seed: UInt64(size))
                let client = try WireClient(port: server.port)
                for _ in 0..<2 {
                    try client.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: \(size)\r\n\r\n")
                    if size < 10_000 {
                        for byte in body { try client.send([byte]) }
                    } else {
                        try client.send(body)
                    }
                    let answer = try client.answer()
                    #expect(answer.text == "\(size) \(checksum(body)) \(size)")
                }
            }
        }
    }

    @Test("may come in chunks, and be followed by another request", arguments: UInt64(0)..<5)
    func chunked(seed: UInt64) async throws {
        try await withServer(answer: Answering(Self.sums)) { server in
            try await client {
                // Made before the connection is: a server waits ten seconds for a request's head.
                let messages = (0..<3).map { number in
                    Self.chunkedMessage(seed: seed + number * 100)
                }
                let client = try WireClient(port: server.port)
                var random = SeededGenerator(seed: seed)
                for (body, message) in messages {
                    var rest = message[...]
                    while !rest.isEmpty {
                        let part = rest.prefix(1 + Int(random.next() % 30_000))
                        try client.send(Array(part))
                        rest = rest.dropFirst(part.count)
                    }
                    #expect(try client.answer().text == "\(body.count) \(checksum(body)) -1")
                }
            }
        }
    }

    private static func chunkedMessage(seed: UInt64) -> (body: [UInt8], message: [UInt8]) {
        var random = SeededGenerator(seed: seed)
        var body: [UInt8] = []
        var message = Array(
            "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
        for _ in 0..<Int(random.next() % 20) {
            let chunk = someBytes(1 + Int(random.next() % 40_000), seed: random.next())
            body += chunk
            message += Array("\(String(chunk.count, radix: 16));x=y\r\n".utf8) + chunk + [13, 10]
        }
        return (body, message + Array("0\r\nTrailer: t\r\n\r\n".utf8))
    }

    @Test("waits for its handler: little of it is kept in memory")
    func backPressure() async throws {
        let size = 64 << 20
        let mayRead = Signal()
        let largest = Slot(0)
        let limits = HTTPLimits()
        try await withServer(
            limits,
            answer: Answering { request in
                var count = 0
                while let piece = try? await request.body.next() {
                    count += piece.count
                    largest.update { $0 = max($0, piece.count) }
                    if count == piece.count { await mayRead.wait() }
                }
                return .text("\(count)")
            }
        ) { server in
            try await client {
                let client = try WireClient(port: server.port)
                try client.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: \(size)\r\n\r\n")
                let part = [UInt8](repeating: 7, count: 1 << 20)
                for number in 0..<(size >> 20) {
                    // The kernel's buffers hold a few MiB; after that the sender stands until this.
                    if number == 2 { mayRead.happen() }
                    try client.send(part)
                }
                #expect(try client.answer().text == "\(size)")
            }
        }
        let limit = limits.uploadBufferBytes + limits.headerBytes + 16 << 10
        #expect(largest.value ?? .max <= limit)
    }

    @Test("that nobody reads stands still, and is not lost")
    func standsStill() async throws {
        let size = 1 << 20
        let mayRead = Signal()
        try await withServer(
            answer: Answering { request in
                _ = try? await request.body.next()
                await mayRead.wait()
                return await Self.sums(request)
            }
        ) { server in
            try await client {
                let client = try WireClient(port: server.port)
                try client.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: \(size)\r\n\r\n")
                try client.send([UInt8](repeating: 7, count: size))
                mayRead.happen()
                #expect(try client.answer().status == 200)
            }
        }
    }

    @Test("is asked for with 100 only when its handler wants it", arguments: [true, false])
    func expectContinue(waits: Bool) async throws {
        try await withServer(
            answer: Answering { request in
                if waits { for _ in 0..<10 { await Task.yield() } }
                if request.path[0] == "refuse" { return .text("no", status: 412) }
                return await Self.sums(request)
            }
        ) { server in
            try await client {
                let head =
                    "HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n"
                let client = try WireClient(port: server.port)
                try client.send("PUT /take \(head)")
                #expect(try client.head().status == 100)
                try client.send("abc")
                #expect(try client.answer().text.hasPrefix("3 "))

                try client.send("PUT /refuse \(head)")
                let refusal = try client.answer()
                #expect(refusal.status == 412 && refusal.text == "no")
                #expect(refusal.headers["Connection"] == "close")
                #expect(try client.isClosed())
            }
        }
    }

    @Test(
        "with an expectation that is not known is refused",
        arguments: ["nonsense", "100-continue, x"])
    func unknownExpectation(expected: String) async throws {
        try await withServer(answer: Answering(Self.sums)) { server in
            try await client {
                let client = try WireClient(port: server.port)
                try client.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n")
                try client.send("Expect: \(expected)\r\n\r\nabc")
                #expect(try client.answer().status == 417)
                #expect(try client.isClosed())
            }
        }
    }

    @Test(
        "that is refused while it comes is answered at once, and the client sees it",
        arguments: [true, false])
    func refusedEarly(readsFirst: Bool) async throws {
        try await withServer(
            answer: Answering { request in
                if readsFirst { _ = try? await request.body.next() } else { await Task.yield() }
                return .text("full", status: 507)
            }
        ) { server in
            try await client {
                let client = try WireClient(port: server.port)
                try client.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 100000000\r\n\r\n")
                try client.send([UInt8](repeating: 1, count: 300_000))
                let answer = try client.answer()
                #expect(answer.status == 507 && answer.text == "full")
                #expect(answer.headers["Connection"] == "close")
                // What was under way before the client saw it does not break the connection.
                for _ in 0..<20 { try client.send([UInt8](repeating: 1, count: 10_000)) }
                #expect(try client.isClosed())
            }
        }
    }

    @Test("that nobody wants keeps its connection when it is small")
    func smallUnread() async throws {
        try await withServer(answer: Answering { .text($0.method.rawValue, status: 405) }) {
            server in
            try await client {
                let client = try WireClient(port: server.port)
                for _ in 0..<3 {
                    try client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nsome ")
                    try client.send("body")
                    #expect(try client.answer().status == 405)
                }
            }
        }
    }

    @Test("that breaks off ends its handler's body with an error")
    func breaksOff() async throws {
        let failure = Slot<String>()
        let done = Signal()
        try await withServer(
            answer: Answering { request in
                do {
                    while try await request.body.next() != nil {}
                } catch {
                    failure.value = "\(error)"
                }
                done.happen()
                return .text("")
            }
        ) { server in
            try await client {
                let client = try WireClient(port: server.port)
                try client.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\nhalf")
            }
            await done.wait()
        }
        #expect(failure.value == "clientGone")
    }

    @Test("that comes too slowly is cut with 408", arguments: [true, false])
    func tooSlow(sendsAnything: Bool) async throws {
        var limits = HTTPLimits()
        limits.uploadWindow = .milliseconds(200)
        limits.uploadBytesPerSecond = 1 << 20
        try await withServer(limits, answer: Answering(Self.sums)) { server in
            try await client {
                let client = try WireClient(port: server.port)
                try client.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n")
                if sendsAnything { try client.send("some") }
                let answer = try client.answer()
                #expect(answer.status == 408 && answer.text.hasPrefix("refused"))
                #expect(try client.isClosed())
            }
        }
    }

    @Test("may be collected up to a limit")
    func collects() async throws {
        try await withServer(
            answer: Answering { request in
                do {
                    return .text("\(try await request.body.collect(upTo: 10).count)")
                } catch {
                    return .text("\(error)", status: 413)
                }
            }
        ) { server in
            try await client {
                for (size, status) in [(10, 200), (11, 413)] {
                    let client = try WireClient(port: server.port)
                    try client.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: \(size)\r\n\r\n")
                    try client.send([UInt8](repeating: 65, count: size))
                    #expect(try client.answer().status == status)
                }
                let client = try WireClient(port: server.port)
                try client.send("PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n")
                try client.send("b\r\n01234567890\r\n0\r\n\r\n")
                #expect(try client.answer().status == 413)
            }
        }
    }
}
