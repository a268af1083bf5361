import TestSupport
import Testing

extension EndToEnd {
    @Suite(
        "A request that is framed wrongly", .server("--largest-file", "10MiB"),
        .timeLimit(.minutes(60)))
    struct HostileFramingTests {
        /// Where a smuggled request would be seen.
        private static let target = "PUT /v1/domains/Target/files/smuggled HTTP/1.1\r\nHost: x\r\n"
        private static let smuggled =
            "PUT /v1/domains/Target/files/smuggled HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx"

        /// Headers of an upload, and what follows them; the token stands before.
        private static let shapes: [(String, String)] = [
            (
                "length and chunks",
                "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
            ),
            (
                "chunks and length",
                "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n"
            ),
            ("two lengths", "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!"),
            ("two lengths in one", "Content-Length: 5, 6\r\n\r\nhello!"),
            ("a signed length", "Content-Length: +5\r\n\r\nhello"),
            ("a negative length", "Content-Length: -5\r\n\r\nhello"),
            ("a length in words", "Content-Length: five\r\n\r\nhello"),
            ("a hexadecimal length", "Content-Length: 0x5\r\n\r\nhello"),
            ("a length with a space in it", "Content-Length: 1 0\r\n\r\nhello"),
            ("no length at all", "Content-Length: \r\n\r\nhello"),
            ("a length beyond numbers", "Content-Length: 99999999999999999999\r\n\r\nhello"),
            ("a coding of another name", "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"),
            ("chunks in chunks", "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n"),
            ("compressed chunks", "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
            ("chunks and then no coding", "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n"),
            ("two codings", "Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n0\r\n\r\n"),
            ("a coding in its own line", "Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n"),
            ("a vertical tab", "Transfer-Encoding: \u{0B}chunked\r\n\r\n0\r\n\r\n"),
            ("a space before the colon", "Content-Length : 5\r\n\r\nhello"),
            ("a folded header", "X-One: a\r\n b\r\nContent-Length: 5\r\n\r\nhello"),
            ("a NUL in a header", "X-One: a\u{0}b\r\nContent-Length: 5\r\n\r\nhello"),
            ("a header without a colon", "Nonsense\r\nContent-Length: 5\r\n\r\nhello"),
            ("a header without a name", ": a\r\nContent-Length: 5\r\n\r\nhello"),
            ("a bare CR", "X-One: a\rX-Two: b\r\nContent-Length: 5\r\n\r\nhello"),
            ("chunk sizes in words", "Transfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n"),
            ("a negative chunk", "Transfer-Encoding: chunked\r\n\r\n-5\r\nhello\r\n0\r\n\r\n"),
            ("a prefixed chunk", "Transfer-Encoding: chunked\r\n\r\n0x5\r\nhello\r\n0\r\n\r\n"),
            (
                "a chunk beyond numbers",
                "Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\nhello\r\n0\r\n\r\n"
            ),
            (
                "a chunk that goes on",
                "Transfer-Encoding: chunked\r\n\r\n5\r\nhelloworld\r\n0\r\n\r\n"
            ),
            ("two hosts", "Host: y\r\nContent-Length: 5\r\n\r\nhello"),
        ]

        @Test(
            "is refused, and what follows it is not taken for another request",
            arguments: shapes.map(\.0))
        func shape(name: String) throws {
            let rest = try #require(Self.shapes.first { $0.0 == name }).1
            let server = try Stage.server
            let caller = server.caller()
            let before = try caller.anchor(of: "Target")
            let wire = try WireClient(port: server.port)
            let smuggled = Self.smuggled.replacing(
                "Host: x\r\n", with: "Host: x\r\nAuthorization: Bearer \(server.token)\r\n")
            try wire.send(
                Self.target + "Authorization: Bearer \(server.token)\r\n" + rest + smuggled)

            let answer = try wire.answer()
            #expect(answer.status == 400, "\(answer.text)")
            #expect(answer.code == "malformed_request")
            #expect(answer.isWellFormed)
            #expect(answer[header: "Connection"] == "close")
            #expect(try wire.readToEnd().isEmpty, "nothing but the refusal")
            #expect(try caller.anchor(of: "Target") == before)
        }

        /// First lines, each with what it may be answered; 0 for a connection closed without a word.
        private static let lines: [(String, Set<Int>)] = [
            ("GET /healthz HTTP/1.1\r\n\r\n", [400]),
            ("GET healthz HTTP/1.1\r\nHost: x\r\n\r\n", [400]),
            ("GET  /healthz HTTP/1.1\r\nHost: x\r\n\r\n", [400]),
            ("GET /healthz HTTP/9.9\r\nHost: x\r\n\r\n", [400, 505]),
            ("GET /healthz HTTP/2.0\r\nHost: x\r\n\r\n", [400, 505]),
            ("GET /healthz\r\n\r\n", [0, 400, 505]),
            ("\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\r\n\r\n", [0, 400]),
            ("GET /a b HTTP/1.1\r\nHost: x\r\n\r\n", [400]),
            ("GET /healthz#top HTTP/1.1\r\nHost: x\r\n\r\n", [400]),
            ("BREW /healthz HTTP/1.1\r\nHost: x\r\n\r\n", [501]),
            ("get /healthz HTTP/1.1\r\nHost: x\r\n\r\n", [400, 501]),
            ("TRACE /healthz HTTP/1.1\r\nHost: x\r\n\r\n", [405, 501]),
            ("CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n", [400, 405, 501]),
            ("OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", [200, 204, 404, 405, 501]),
            ("GET http://y/healthz HTTP/1.1\r\nHost: x\r\n\r\n", [200, 400]),
            ("GET /healthz HTTP/1.1\nHost: x\n\n", [0, 200, 400]),
            ("\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", [200, 400]),
            ("POST /v1/sessions HTTP/1.1\r\nHost: x\r\n\r\n", [400, 411, 415]),
        ]

        @Test("is answered for what is wrong with its first line", arguments: lines)
        func line(text: String, statuses: Set<Int>) throws {
            let wire = try WireClient(port: try Stage.server.port)
            try wire.send(text)
            wire.finishSending()
            if statuses.contains(0) {
                let first = String(decoding: try wire.readToEnd().prefix(12), as: UTF8.self)
                #expect(first.isEmpty || statuses.contains(Int(first.suffix(3)) ?? -1), "\(first)")
                return
            }
            let answer = try wire.answer()
            #expect(statuses.contains(answer.status), "\(answer.status) \(answer.text)")
            #expect(answer.isWellFormed, "\(answer.text)")
        }

        @Test("is refused for its weight alone")
        func bombs() throws {
            let server = try Stage.server
            let x = String(repeating: "x", count: 1 << 20)
            for (head, status, code) in [
                ("GET /\(x.prefix(20 << 10)) HTTP/1.1\r\nHost: x\r\n\r\n", 414, "target_too_long"),
                ("GET /?\(x.prefix(50 << 10)) HTTP/1.1\r\nHost: x\r\n\r\n", 414, "target_too_long"),
                (
                    "GET / HTTP/1.1\r\nHost: x\r\nX-Bomb: \(x.prefix(100 << 10))\r\n\r\n", 431,
                    "headers_too_large"
                ),
                (
                    "GET / HTTP/1.1\r\nHost: x\r\n"
                        + (0..<20_000).map { "X-\($0): x\r\n" }.joined() + "\r\n", 431,
                    "headers_too_large"
                ),
            ] {
                let wire = try WireClient(port: server.port)
                // The server need not read on once it has had enough.
                try? wire.send(head)
                let answer = try wire.answer()
                #expect(answer.status == status, "\(answer.text)")
                #expect(answer.code == code)
                #expect(answer.isWellFormed)
            }
        }

        @Test("changes nothing when its body breaks off, whichever way it is framed")
        func halfSent() throws {
            let server = try Stage.server
            let caller = server.caller()
            let before = try caller.anchor(of: "Target")
            let large = String(repeating: "y", count: 300_000)
            for (frame, body) in [
                ("Content-Length: 100\r\n", "half"), ("Content-Length: 1000000\r\n", large),
                ("Transfer-Encoding: chunked\r\n", "5\r\nhel"),
                ("Transfer-Encoding: chunked\r\n", "5\r\nhello\r\n"),
                ("Transfer-Encoding: chunked\r\n", "493E0\r\n\(large)\r\n5\r\n"),
            ] {
                for isGentle in [true, false] {
                    var wire: WireClient? = try WireClient(port: server.port)
                    try wire?.send(
                        Self.target + "Authorization: Bearer \(server.token)\r\n" + frame + "\r\n"
                            + body)
                    if isGentle {
                        wire?.finishSending()
                        let rest = try wire?.readToEnd() ?? []
                        let line = String(decoding: rest.prefix(12), as: UTF8.self)
                        #expect(rest.isEmpty || line.hasSuffix(" 400"), "\(line)")
                    }
                    wire = nil
                    #expect(try server.caller().get("/healthz").status == 200)
                }
            }
            #expect(try caller.get("/v1/domains/Target/files/smuggled").status == 404)
            #expect(try caller.anchor(of: "Target") == before)
        }

        @Test("is over where its length says, and what follows is no part of it")
        func tooLong() throws {
            let server = try Stage.server
            let wire = try WireClient(port: server.port)
            try wire.send(
                "PUT /v1/domains/Target/files/short HTTP/1.1\r\nHost: x\r\n"
                    + "Authorization: Bearer \(server.token)\r\nContent-Length: 5\r\n\r\nhello world"
            )
            #expect(try wire.answer().status == 201)
            wire.finishSending()
            _ = try wire.readToEnd()
            #expect(try server.caller().get("/v1/domains/Target/files/short").text == "hello")
        }

        @Test("is read in chunks with extensions and trailers, which mean nothing here")
        func chunks() throws {
            let server = try Stage.server
            let wire = try WireClient(port: server.port)
            try wire.send(
                "PUT /v1/domains/Target/files/chunked HTTP/1.1\r\nHost: x\r\n"
                    + "Authorization: Bearer \(server.token)\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "5;name=value\r\nhello\r\n0005\r\nworld\r\n0\r\nX-Trailer: x\r\n\r\n")
            #expect(try wire.answer().status == 201)
            #expect(
                try server.caller().get("/v1/domains/Target/files/chunked").text == "helloworld")
        }

        @Test("is answered in its turn when many come at once")
        func pipelined() throws {
            let server = try Stage.server
            let caller = server.caller()
            let wire = try WireClient(port: server.port)
            var bytes: [UInt8] = []
            for index in 0..<100 {
                let path = "/v1/domains/Target/files/file.txt"
                bytes += caller.head("GET", path, ["Range": "bytes=\(index)-\(index)"])
                let body = Array("\(index)".utf8)
                bytes += caller.head(
                    "PUT", "/v1/domains/Target/files/turn", length: body.count)
                bytes += body
            }
            let sent = bytes
            let sending = Meanwhile { [wire = Lent(wire)] in try wire.value.send(sent) }
            for index in 0..<100 {
                #expect(try wire.answer().body == [Stage.Scene.content[index]])
                #expect([200, 201].contains(try wire.answer().status))
            }
            try sending.result()
            #expect(try caller.get("/v1/domains/Target/files/turn").text == "99")
        }

        @Test(
            "is refused before its body is sent, when the answer is known", .timeLimit(.minutes(60))
        )
        func expect() throws {
            let server = try Stage.server
            let caller = server.caller()
            try caller.makeDomain("Small", ["quota": 1000])
            let file = Stage.Scene.domain + "/files/file.txt"
            let expecting = ["Expect": "100-continue"]
            let rows: [(String, [String: String], Int, Int, String)] = [
                (file, ["Authorization": "Bearer bskt_x"], 5, 401, "wrong_credentials"),
                (file, ["If-Match": "\"zzz\""], 5, 412, "stale_content"),
                (file, ["If-None-Match": "*"], 5, 409, "name_taken"),
                (file, [:], 11 << 20, 413, "file_too_large"),
                ("/v1/domains/Small/files/a", [:], 5000, 507, "insufficient_quota"),
                ("/v1/domains/Nobody/files/a", [:], 5, 404, "no_such_domain"),
                (Stage.Scene.domain + "/files/nowhere/a", [:], 5, 404, "no_such_item"),
                (Stage.Scene.domain + "/items/root", [:], 5, 405, "method_not_allowed"),
                ("/v1/domains/Target/items", [:], 5, 405, "method_not_allowed"),
            ]
            for (path, headers, length, status, code) in rows {
                let wire = try WireClient(port: server.port)
                let all = headers.merging(expecting) { $1 }
                try wire.send(caller.head("PUT", path, all, length: length))
                let first = try wire.head()
                #expect(first.status == status, "\(path)")
                let body = try wire.read(Int(first[header: "Content-Length"] ?? "") ?? 0)
                #expect(try JSON(body)["code"].string == code)
            }
            let wire = try WireClient(port: server.port)
            try wire.send(
                caller.head("PUT", Stage.Scene.domain + "/files/asked", expecting, length: 5))
            #expect(try wire.head().status == 100)
            try wire.send("hello")
            #expect(try wire.answer().status == 201)
        }

        @Test("is told which methods there are, when it asks by another")
        func methods() throws {
            let scene = try Stage.scene
            let caller = scene.server.caller()
            for (method, path) in [
                ("DELETE", "/v1/server"), ("POST", "/v1/events"), ("PUT", "/v1/domains"),
                ("PATCH", "/v1/domains/Target/items"), ("POST", "/v1/domains/Target/changes"),
                ("PUT", "/v1/domains/Target/items/\(scene.file)"), ("DELETE", "/healthz"),
                ("POST", "/v1/domains/Target/files/x"), ("GET", "/v1/domains/Target/batch"),
            ] {
                let answer = try caller.call(method, path)
                #expect(answer.status == 405, "\(method) \(path)")
                #expect(answer.code == "method_not_allowed")
                #expect(answer[header: "Allow"]?.isEmpty == false)
            }
            for path in ["/", "/v1", "/v1/", "/v2/server", "/v1/server/x", "/v1/domains/Target/x"] {
                let answer = try caller.get(path)
                #expect(answer.status == 404, "\(path)")
                #expect(answer.isWellFormed)
            }
        }

        @Test("by HEAD is answered as by GET, without a body")
        func head() throws {
            let scene = try Stage.scene
            let caller = scene.server.caller()
            let domain = Stage.Scene.domain
            for path in [
                "/v1/server", "/healthz", "/readyz", "/openapi.json", "/v1/devices",
                "/v1/accounts", "/v1/accounts/admin", "/v1/domains", domain, domain + "/members",
                domain + "/items/root", domain + "/items/\(scene.file)/children",
                domain + "/items/root/children", domain + "/items/\(scene.file)/content",
                domain + "/items/\(scene.file)/manifest", domain + "/items/\(scene.file)/versions",
                domain + "/items/\(scene.file)/thumbnail", domain + "/items/\(scene.file)/lock",
                domain + "/changes", domain + "/anchor", domain + "/search?q=file",
                domain + "/files/file.txt", domain + "/files/nothing", "/v1/nothing",
            ] {
                let get = try caller.get(path)
                let head = try caller.call("HEAD", path)
                #expect(head.status == get.status, "\(path)")
                #expect(head[header: "Content-Type"] == get[header: "Content-Type"], "\(path)")
                #expect(head[header: "ETag"] == get[header: "ETag"], "\(path)")
                if get.status == 200 {
                    #expect(
                        head[header: "Content-Length"] == get[header: "Content-Length"], "\(path)")
                }
            }
            // The connection is still where it should be: no body came in between.
            #expect(try caller.get("/healthz").json["status"] == "alive")
        }
    }
}
