import TestSupport
import Testing

extension EndToEnd {
    @Suite("A name or a path that cannot be", .server, .timeLimit(.minutes(60)))
    struct HostileNameTests {
        private static let long = String(repeating: "n", count: 256)

        /// In JSON, with the code that names the reason.
        private static let names = [
            "", ".", "..", "a/b", "/", "../../etc/passwd", "a\\u0000b", "\\u0000", long,
            String(repeating: "\u{1F9FA}", count: 64),
        ]

        /// In a path, as it is sent.
        private static let paths: [(String, Int)] = [
            ("..", 422), (".", 422), ("..%2f..%2fetc%2fpasswd", 422), ("%2e%2e/%2e%2e/x", 422),
            ("%2E%2E", 422), ("a%00b", 400), ("%00", 400), (long, 422), ("folder/../x", 422),
            ("folder/./x", 422), ("folder//x", 422), ("%2f", 422), ("a%2fb", 422),
            ("%ff%fe", 400), ("%c0%af", 400), ("a%", 400), ("a%zz", 400), ("%u0041", 400),
            ("file.txt/x", 409), ("nowhere/x", 404),
        ]

        @Test("is refused in a creation", arguments: names)
        func creation(name: String) throws {
            try HostileRequest(
                name, body: "{\"name\":\"\(name)\",\"kind\":\"file\"}", as: 422, "bad_name"
            ).expectRefusal()
        }

        @Test("is refused in a change", arguments: names)
        func change(name: String) throws {
            try HostileRequest(
                name, "PATCH", "/items/FILE", body: "{\"name\":\"\(name)\"}", as: 422, "bad_name"
            ).expectRefusal()
        }

        @Test("is refused in a batch, which goes on with the others")
        func batch() throws {
            let caller = try Stage.server.caller()
            let operations = Self.names.dropLast(3).map { name in
                "{\"op\":\"create\",\"name\":\"\(name)\",\"kind\":\"file\"}"
            }
            let body = "{\"operations\":[\(operations.joined(separator: ","))]}"
            let answer = try caller.call(
                "POST", Stage.Scene.domain + "/batch", body: Array(body.utf8),
                headers: ["Content-Type": "application/json"])
            #expect(answer.status == 200)
            for result in answer.json["results"].array {
                #expect(result["problem"]["code"] == "bad_name", "\(result.text)")
            }
        }

        @Test("is refused in a path that is put", arguments: paths)
        func path(path: String, status: Int) throws {
            let caller = try Stage.server.caller()
            let before = try caller.anchor(of: "Target")
            let answer = try caller.put("\(Stage.Scene.domain)/files/\(path)", [1, 2, 3])
            #expect(answer.status == status, "\(answer.text)")
            #expect(answer.isWellFormed)
            #expect(try caller.anchor(of: "Target") == before)
        }

        @Test("leads nowhere in a path that is read or deleted", arguments: paths)
        func reading(path: String, status: Int) throws {
            let caller = try Stage.server.caller()
            let before = try caller.anchor(of: "Target")
            for method in ["GET", "DELETE"] {
                let answer = try caller.call(method, "\(Stage.Scene.domain)/files/\(path)")
                #expect((400..<500).contains(answer.status), "\(method): \(answer.text)")
                #expect(answer.isWellFormed)
            }
            let head = try caller.call("HEAD", "\(Stage.Scene.domain)/files/\(path)")
            #expect((400..<500).contains(head.status))
            #expect(try caller.anchor(of: "Target") == before)
        }

        @Test("keeps the operator's files out of reach, wherever dots stand in a path")
        func traversal() throws {
            let server = try Stage.server
            for path in [
                "/../basket.db", "/v1/../basket.db", "/v1/domains/../../basket.db",
                "/v1/domains/%2e%2e", "/v1/domains/..%2f..%2fbasket.db/items/root",
                "/%2e%2e/%2e%2e/etc/passwd", "/v1/domains/Target/items/..%2froot",
                "//etc/passwd", "/v1/domains/Target/chunks/..%2f..%2fbasket.db",
            ] {
                let answer = try server.caller().get(path)
                #expect((400..<500).contains(answer.status), "\(path): \(answer.status)")
                #expect(answer.isWellFormed, "\(path)")
            }
        }

        @Test(
            "is refused as an identifier",
            arguments: [
                "0", "-1", "ZZZ", "00", "9999999999999", "zzzzzzzzzzzzz", "%27%20OR%201=1",
                "Root", "%F0%9F%A7%BA", String(repeating: "1", count: 5000),
            ])
        func identifier(text: String) throws {
            let caller = try Stage.server.caller()
            for (method, path) in [
                ("GET", "/items/\(text)"), ("DELETE", "/items/\(text)"),
                ("GET", "/items/\(text)/children"), ("GET", "/items/\(text)/content"),
            ] {
                let answer = try caller.call(method, Stage.Scene.domain + path)
                #expect(answer.status == 404, "\(method) \(path): \(answer.text)")
                #expect(answer.code == "no_such_item")
            }
        }

        @Test("is kept byte for byte where it may be")
        func strange() throws {
            let caller = try Stage.server.caller()
            for name in [
                "a b", "ü", "u\u{308}", "\u{1F9FA}", "'; DROP TABLE item; --", "%2e%2e", "...",
                "\u{202E}gpj.exe", "-rf", "con", "a\nb", "\u{FEFF}", "*", "?", "~", "\\..\\x",
                String(repeating: "n", count: 255),
            ] {
                let answer = try caller.post(
                    Stage.Scene.domain + "/items", ["name": .string(name), "kind": "file"])
                #expect(answer.status == 201, "\(name): \(answer.text)")
                let told = answer.json["item"]["name"].string ?? ""
                #expect(Array(told.utf8) == Array(name.utf8))
            }
        }
    }
}
