import TestSupport
import Testing

extension EndToEnd {
    @Suite("A range or a condition", .server, .timeLimit(.minutes(60)))
    struct HostileRangeTests {
        private static let path = Stage.Scene.domain + "/files/file.txt"
        private static let thousand = (0..<1000).map { "\($0)-\($0)" }.joined(separator: ",")

        /// Status, and the body's length where it is the content's own bytes.
        private static let ranges: [(String, Int, Int?)] = [
            ("bytes=0-9", 206, 10), ("bytes=990-", 206, 10), ("bytes=-10", 206, 10),
            ("bytes=0-9999999999999999999999", 206, 1000),
            ("bytes=-9999999999999999999", 206, 1000),
            ("bytes=1000-", 416, nil), ("bytes=1000-2000", 416, nil),
            ("bytes=9223372036854775807-", 416, nil),
            ("bytes=9223372036854775807-9223372036854775807", 416, nil),
            ("bytes=99999999999999999999-", 416, nil), ("bytes=-0", 416, nil),
            ("bytes=9-0", 200, 1000), ("bytes=-", 200, 1000), ("bytes=", 200, 1000),
            ("bytes=a-b", 200, 1000), ("bytes=0x1-0x9", 200, 1000), ("bytes=-1-1", 200, 1000),
            ("bytes=+1-2", 200, 1000), ("bytes= 0 - 9", 200, 1000), ("items=0-9", 200, 1000),
            ("bytes=0-9,0-9,5-20", 206, 21), ("bytes=0-0,2-2", 206, nil),
            ("bytes=0-0,5000-", 206, 1), ("bytes=0-,0-,0-,-1000", 206, 1000),
            ("bytes=\(thousand)", 200, 1000), ("bytes=,,,", 200, 1000),
            ("bytes=\(String(repeating: "0", count: 5000))-9", 206, 10),
            ("bytes=0-9;q=1", 200, 1000),
        ]

        @Test("is served, ignored or refused, and never more than was stored", arguments: ranges)
        func range(text: String, status: Int, count: Int?) throws {
            let caller = try Stage.server.caller()
            let answer = try caller.get(Self.path, ["Range": text])
            #expect(answer.status == status, "\(answer.text.prefix(200))")
            #expect(answer.isWellFormed)
            if let count { #expect(answer.body.count == count) }
            if status == 416 { #expect(answer[header: "Content-Range"] == "bytes */1000") }
            #expect(answer.body.count < 3000)
        }

        @Test("is refused once for one that comes twice, or served whole")
        func twice() throws {
            let caller = try Stage.server.caller()
            let wire = try WireClient(port: caller.port)
            let head = "Range: bytes=0-1\r\nRange: bytes=5-6\r\n\r\n"
            try wire.send(caller.head("GET", Self.path).dropLast(2) + Array(head.utf8))
            let answer = try wire.answer()
            #expect(answer.status == 200 && answer.body.count == 1000 || answer.status == 400)
        }

        private static let tags = [
            "\"", "\"\"", "W/\"x\"", "x", "\"a\", \"b\"", "*,*", "\"0\"",
            "\"\u{1F9FA}\"", String(repeating: "\"a\",", count: 2000) + "\"b\"",
            "\"" + String(repeating: "a", count: 9000) + "\"", ",,,,", "\"zzzzzzzzzzzzz\"",
            "\"-1\"", "\"1\"\"2\"",
        ]

        @Test("keeps a write from happening for tags that match nothing", arguments: tags)
        func ifMatch(tag: String) throws {
            let scene = try Stage.scene
            let caller = scene.server.caller()
            let before = try caller.anchor(of: "Target")
            for path in ["/items/\(scene.file)/content", "/files/file.txt"] {
                let answer = try caller.put(
                    Stage.Scene.domain + path, [1, 2, 3], ["If-Match": tag])
                #expect([400, 412].contains(answer.status), "\(answer.text)")
                #expect(answer.isWellFormed)
            }
            let read = try caller.get(Self.path, ["If-Match": tag])
            #expect([400, 412].contains(read.status))
            let new = try caller.get(Self.path, ["If-None-Match": tag])
            #expect([200, 304].contains(new.status))
            let part = try caller.get(Self.path, ["If-Range": tag, "Range": "bytes=0-1"])
            #expect(part.status == 200)
            #expect(try caller.anchor(of: "Target") == before)
        }

        @Test("makes a file only where there is none")
        func ifNoneMatch() throws {
            let caller = try Stage.server.caller()
            let taken = try caller.put(Self.path, [1], ["If-None-Match": "*"])
            #expect(taken.status == 409 || taken.status == 412)
            let fresh = "\(Stage.Scene.domain)/files/fresh.txt"
            #expect(try caller.put(fresh, [1], ["If-None-Match": "*"]).status == 201)
            #expect(try caller.put(fresh + "x", [1], ["If-Match": "*"]).status == 412)
        }

        private static let queries = [
            "/changes?since=0", "/changes?since=zzz-zzz", "/changes?since=1-1-1-1-1",
            "/changes?since=%00", "/changes?since=9999999999999-zzzzzzzzzzzz",
            "/changes?limit=0", "/changes?limit=-1", "/changes?limit=99999999999999999999",
            "/changes?limit=1e3", "/changes?wait=-1", "/changes?wait=61", "/changes?wait=x",
            "/items/root/children?cursor=x", "/items/root/children?cursor=AAAA",
            "/items/root/children?cursor=____________________________",
            "/items/root/children?limit=1001", "/items/root/children?sort=colour",
            "/items/root/children?descending=perhaps", "/search", "/search?q=", "/search?q=%20",
            "/search?q=***", "/search?q=%22", "/search?q=a&limit=0", "/search?q=a&offset=-1",
            "/search?q=a&offset=10001", "/items/FILE/content?version=0",
            "/items/FILE/content?version=ZZ", "/items/FILE/content?version=1",
        ]

        @Test("is refused in a query that makes no sense", arguments: queries)
        func query(text: String) throws {
            let scene = try Stage.scene
            let path = text.replacing("FILE", with: scene.file)
            let answer = try scene.server.caller().get(Stage.Scene.domain + path)
            #expect((400..<500).contains(answer.status), "\(answer.status) \(answer.text)")
            #expect(answer.isWellFormed)
        }

        @Test(
            "is found or not, but never runs as a query language",
            arguments: [
                "a%20OR%20b", "NOT%20a", "NEAR(a%20b)", "a*", "%22a", "name:a", "-a", "a%20AND",
                "%5E", "(a", "a)%20UNION%20SELECT", "%27%3B--", "{a}", "a%2Bb", "%00a",
                String(repeating: "a%20", count: 3000), String(repeating: "%22", count: 3000),
                String(repeating: "(", count: 5000), String(repeating: "a*%20", count: 2000),
            ])
        func search(text: String) throws {
            let caller = try Stage.server.caller()
            let took = try Moment.measure {
                let answer = try caller.get("\(Stage.Scene.domain)/search?q=\(text)")
                #expect(answer.status == 200 || (400..<500).contains(answer.status))
                #expect(answer.isWellFormed, "\(answer.text.prefix(200))")
            }
            #expect(took < .seconds(5))
        }
    }
}
