import BasketHTTP
import BasketSupport
import TestSupport
import Testing

@Suite("A doubtful request", .timeLimit(.minutes(60)))
struct RefusalTests {
    /// Each with what must not be read as a second request behind it.
    static let messages: [(what: String, message: String)] = [
        ("no Host", "GET / HTTP/1.1\r\n\r\n"),
        ("two Hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n"),
        (
            "two Authorizations",
            "GET / HTTP/1.1\r\nHost: h\r\nAuthorization: a\r\nAuthorization: b\r\n\r\n"
        ),
        ("no host in Host", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"),
        (
            "both lengths",
            "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        ),
        (
            "two lengths",
            "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\n0123"
        ),
        ("a signed length", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: +4\r\n\r\n0123"),
        ("a list of lengths", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4, 4\r\n\r\n0123"),
        ("an empty length", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: \r\n\r\n0123"),
        (
            "a length beyond counting",
            "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9223372036854775808\r\n\r\n0123"
        ),
        ("another coding", "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip\r\n\r\n"),
        (
            "two codings",
            "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"
        ),
        (
            "two coding headers",
            "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n"
        ),
        (
            "a coding with a blank",
            "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked \r\n\r\n0\r\n\r\n"
        ),
        (
            "a coding with a tab",
            "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding:\u{B}chunked\r\n\r\n0\r\n\r\n"
        ),
        (
            "chunks in HTTP/1.0",
            "POST / HTTP/1.0\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        ),
        ("a blank before a colon", "GET / HTTP/1.1\r\nHost : h\r\n\r\n"),
        ("a folded line", "GET / HTTP/1.1\r\nHost: h\r\nA: b\r\n c\r\n\r\n"),
        ("a fold first", "GET / HTTP/1.1\r\n Host: h\r\n\r\n"),
        ("a header without a name", "GET / HTTP/1.1\r\nHost: h\r\n: x\r\n\r\n"),
        ("a NUL in a value", "GET / HTTP/1.1\r\nHost: h\r\nA: b\0c\r\n\r\n"),
        ("NULs like a line's end", "GET / HTTP/1.1\r\nHost: h\r\nA: b\0\0C\0 d\r\n\r\n"),
        ("a NUL in a name", "GET / HTTP/1.1\r\nHost: h\r\nA\0: b\r\n\r\n"),
        ("a bare CR in a value", "GET / HTTP/1.1\r\nHost: h\r\nA: b\rC: d\r\n\r\n"),
        ("a control byte in a value", "GET / HTTP/1.1\r\nHost: h\r\nA: b\u{1}\r\n\r\n"),
        ("a bare LF after a header", "GET / HTTP/1.1\r\nHost: h\nA: b\r\n\r\n"),
        ("a bare LF after the first line", "GET / HTTP/1.1\nHost: h\r\n\r\n"),
        ("bare LFs at the end", "GET / HTTP/1.1\r\nHost: h\r\n\n"),
        ("a space in the target", "GET /a b HTTP/1.1\r\nHost: h\r\n\r\n"),
        ("two spaces before the target", "GET  / HTTP/1.1\r\nHost: h\r\n\r\n"),
        ("a NUL in the target", "GET /a\0b HTTP/1.1\r\nHost: h\r\n\r\n"),
        ("a target that is no path", "GET a HTTP/1.1\r\nHost: h\r\n\r\n"),
        ("a fragment", "GET /a#b HTTP/1.1\r\nHost: h\r\n\r\n"),
        ("a half escape", "GET /%2 HTTP/1.1\r\nHost: h\r\n\r\n"),
        ("a bad escape", "GET /%zz HTTP/1.1\r\nHost: h\r\n\r\n"),
        ("an escaped NUL", "GET /%00 HTTP/1.1\r\nHost: h\r\n\r\n"),
        ("a path that is not UTF-8", "GET /%ff HTTP/1.1\r\nHost: h\r\n\r\n"),
        ("a surrogate", "GET /%ED%A0%80 HTTP/1.1\r\nHost: h\r\n\r\n"),
        ("a query that is not UTF-8", "GET /?%ff HTTP/1.1\r\nHost: h\r\n\r\n"),
        ("a bad escape in the query", "GET /?a=%g0 HTTP/1.1\r\nHost: h\r\n\r\n"),
        ("no version", "GET /\r\nHost: h\r\n\r\n"),
        ("a header without a colon", "GET / HTTP/1.1\r\nHost: h\r\nnonsense\r\n\r\n"),
        ("no HTTP", "\u{16}\u{3}\u{1}hello there\r\n\r\n"),
    ]

    @Test("is answered with 400, and nothing behind it is read", arguments: messages)
    func malformed(what: String, message: String) async throws {
        let seen = Slot(0)
        try await withServer(
            answer: Answering { _ in
                seen.update { $0 += 1 }
                return .text("let through")
            }
        ) { server in
            try await client {
                let client = try WireClient(port: server.port)
                try client.send(message + "GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n")
                let answer = String(decoding: try client.readToEnd(), as: UTF8.self)
                // "no HTTP" is closed without a word, since nobody there would understand one.
                #expect(
                    answer.isEmpty || answer.hasPrefix("HTTP/1.1 400 ")
                        || answer.hasPrefix("HTTP/1.1 413 "))
                #expect(answer.contains("Connection: close") || answer.isEmpty)
                #expect(!answer.contains("let through"))
            }
        }
        #expect(seen.value == 0)
    }

    @Test("has the handler's own answer where libmicrohttpd leaves us the word")
    func ownAnswer() async throws {
        try await withServer(answer: Answering { _ in .text("let through") }) { server in
            try await client {
                let client = try WireClient(port: server.port)
                try client.send("GET / HTTP/1.1\r\n\r\n")
                let answer = try client.answer()
                #expect(answer.text.hasPrefix("refused malformed"))
                #expect(answer.headers["X-Request-Id"] != nil)
            }
        }
    }

    @Test(
        "with an unknown method is answered with 501",
        arguments: ["BREW", "get", "CONNECT", "TRACE"])
    func unknownMethod(method: String) async throws {
        try await withServer(answer: Answering { _ in .text("let through") }) { server in
            try await client {
                let client = try WireClient(port: server.port)
                try client.send("\(method) / HTTP/1.1\r\nHost: h\r\n\r\n")
                #expect(try client.answer().status == 501)
            }
        }
    }

    @Test(
        "with too long a target is answered with 414, however long it is",
        arguments: [17 << 10, 30 << 10, 500 << 10])
    func longTarget(size: Int) async throws {
        try await withServer(answer: Answering { _ in .text("let through") }) { server in
            try await client {
                let client = try WireClient(port: server.port)
                let path = String(repeating: "a", count: size)
                try? client.send("GET /\(path) HTTP/1.1\r\nHost: h\r\n\r\n")
                #expect(try client.answer().status == 414)
            }
        }
    }

    @Test(
        "with too long headers is answered with 431, however long they are",
        arguments: [33 << 10, 500 << 10])
    func longHeaders(size: Int) async throws {
        try await withServer(answer: Answering { _ in .text("let through") }) { server in
            try await client {
                for line in [
                    "A: " + String(repeating: "a", count: size),
                    String(repeating: "A: b\r\n", count: size / 6) + "C: d",
                ] {
                    let client = try WireClient(port: server.port)
                    try? client.send("GET / HTTP/1.1\r\nHost: h\r\n\(line)\r\n\r\n")
                    #expect(try client.answer().status == 431)
                }
            }
        }
    }

    @Test("of 30 KiB is no doubtful one")
    func longHeadersWithinTheLimit() async throws {
        try await withServer(answer: Answering { .text("\($0.headers["A"]?.utf8.count ?? 0)") }) {
            server in
            try await client {
                let client = try WireClient(port: server.port)
                for _ in 0..<2 {
                    let value = String(repeating: "a", count: 30 << 10)
                    try client.send("GET / HTTP/1.1\r\nHost: h\r\nA: \(value)\r\n\r\n")
                    #expect(try client.answer().text == "\(30 << 10)")
                }
            }
        }
    }

    @Test(
        "in whose chunks something is wrong never gets its handler a whole body",
        arguments: [
            "x\r\nabc\r\n0\r\n\r\n", "-1\r\nabc\r\n0\r\n\r\n", "3\r\nabcd\r\n0\r\n\r\n",
            "FFFFFFFFFFFFFFFFF\r\nabc\r\n0\r\n\r\n", "\r\nabc\r\n0\r\n\r\n",
            "0x3\r\nabc\r\n0\r\n\r\n",
        ])
    func badChunks(chunks: String) async throws {
        let whole = Slot(false)
        try await withServer(
            answer: Answering { request in
                do {
                    while try await request.body.next() != nil {}
                    whole.value = true
                } catch {}
                return .text("")
            }
        ) { server in
            try await client {
                let client = try WireClient(port: server.port)
                try client.send(
                    "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)")
                let answer = String(decoding: try client.readToEnd(), as: UTF8.self)
                #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 4"))
            }
        }
        #expect(whole.value == false)
    }

    @Test(
        "whose headers never end is cut",
        arguments: ["", "GET / HT", "GET / HTTP/1.1\r\nHost: h\r\nA: "])
    func slowHeaders(start: String) async throws {
        var limits = HTTPLimits()
        limits.headerTime = .milliseconds(100)
        try await withServer(limits, answer: Answering { _ in .text("let through") }) { server in
            try await client {
                let client = try WireClient(port: server.port)
                if !start.isEmpty { try client.send(start) }
                #expect(try client.isClosed())
            }
        }
    }

    @Test("that trickles is cut too, and its neighbours are not")
    func trickle() async throws {
        var limits = HTTPLimits()
        limits.headerTime = .seconds(2)
        try await withServer(limits, answer: Answering { _ in .text("hello") }) { server in
            try await client {
                let honest = try WireClient(port: server.port)
                try honest.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                #expect(try honest.answer().status == 200)
                let slow = try WireClient(port: server.port)
                try slow.send("GET / HTTP/1.1\r\n")
                // Until the server has had enough; each write is a sign of life that must not count.
                while !slow.hasMore(withinMilliseconds: 50), (try? slow.send("A: b\r\n")) != nil {}
                try honest.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                #expect(try honest.answer().status == 200)
            }
        }
    }

    @Test("whose chunk has an endless extension is answered like all others")
    func chunkExtension() async throws {
        try await withServer(
            answer: Answering { request in
                _ = try? await request.body.collect(upTo: 1 << 20)
                return .text("read")
            }
        ) { server in
            try await client {
                let client = try WireClient(port: server.port)
                let head = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
                // The server need not take all of it.
                try? client.send(head + "4;" + String(repeating: "x", count: 1_000_000))
                let answer = String(decoding: try client.readToEnd(), as: UTF8.self)
                #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(answer.prefix(200))")
                #expect(!answer.contains("<html>"))
            }
        }
    }
}
