import TestSupport
import Testing

extension EndToEnd {
    @Suite("JSON that is not what it should be", .server, .timeLimit(.minutes(60)))
    struct HostileJSONTests {
        private static let deep = String(repeating: "[", count: 100_000)
        private static let long = String(repeating: "x", count: 256)

        /// A creation with a member too many.
        private static func item(
            _ member: String, _ status: Int = 422, _ code: String = "bad_field"
        )
            -> HostileRequest
        {
            HostileRequest(
                "an item with \(member.prefix(60))",
                body: "{\"name\":\"new\",\"kind\":\"file\",\(member)}", as: status, code)
        }

        private static let malformedBodies: [HostileRequest] = [
            HostileRequest("nothing", as: 400, "bad_json"),
            HostileRequest("half an object", body: "{\"name\":", as: 400, "bad_json"),
            HostileRequest("a list", body: "[1,2]", as: 400, "bad_json"),
            HostileRequest("null", body: "null", as: 400, "bad_json"),
            HostileRequest("text", body: "\"text\"", as: 400, "bad_json"),
            HostileRequest(
                "something behind the end", body: "{\"name\":\"a\",\"kind\":\"file\"} x", as: 400,
                "bad_json"),
            HostileRequest("a comment", body: "{/* */\"name\":\"a\"}", as: 400, "bad_json"),
            HostileRequest("depth alone", body: deep, as: 400, "bad_json"),
            HostileRequest(
                "depth in an unknown field",
                body: "{\"name\":\"a\",\"kind\":\"folder\",\"more\":\(deep)", as: 400, "bad_json"),
            HostileRequest(
                "closed depth in an unknown field",
                body: "{\"name\":\"a\",\"kind\":\"folder\",\"more\":\(deep)"
                    + String(repeating: "]", count: 100_000) + "}", as: 400, "bad_json"),
            HostileRequest(
                "bytes that are no UTF-8",
                bytes: Array("{\"kind\":\"file\",\"name\":\"".utf8) + [0xFF, 0xC0, 0x80]
                    + Array("\"}".utf8), as: 400, "bad_json"),
            HostileRequest(
                "half of a surrogate pair", body: "{\"kind\":\"file\",\"name\":\"a\\ud800\"}",
                as: 400,
                "bad_json"),
            HostileRequest("zeros", bytes: [UInt8](repeating: 0, count: 1000), as: 400, "bad_json"),
            HostileRequest(
                "more than is taken", "PATCH", "/items/FILE",
                body: "{\"name\":\"" + String(repeating: "x", count: 1 << 20) + "\"}", as: 413,
                "body_too_large"),
            HostileRequest(
                "a form", headers: ["Content-Type": "application/x-www-form-urlencoded"],
                body: "{\"name\":\"a\",\"kind\":\"file\"}", as: 415, "not_json"),
            HostileRequest(
                "no type at all", headers: [:], body: "{\"name\":\"a\",\"kind\":\"file\"}", as: 415,
                "not_json"),
            HostileRequest(
                "a compressed body",
                headers: ["Content-Type": "application/json", "Content-Encoding": "gzip"],
                body: "{\"name\":\"a\",\"kind\":\"file\"}", as: 415, "unsupported_encoding"),
        ]

        private static let wrongFields: [HostileRequest] = [
            HostileRequest("no name", body: "{\"kind\":\"file\"}", as: 422, "bad_field"),
            HostileRequest(
                "a number for a name", body: "{\"name\":5,\"kind\":\"file\"}", as: 422, "bad_field"),
            HostileRequest(
                "null for a name", body: "{\"name\":null,\"kind\":\"file\"}", as: 422, "bad_field"),
            HostileRequest(
                "an unknown kind", body: "{\"name\":\"a\",\"kind\":\"device\"}", as: 422,
                "bad_field"),
            item("\"ifExists\":\"explode\""), item("\"parent\":[]"),
            item("\"parent\":\"nobody\"", 404, "no_such_item"),
            item("\"favoriteRank\":9223372036854775808"), item("\"favoriteRank\":-1e30"),
            item("\"favoriteRank\":1.5"), item("\"favoriteRank\":true"),
            item("\"favoriteRank\":\"7\""), item("\"mode\":\"9999\""), item("\"mode\":\"0o644\""),
            item("\"mode\":\"77777\""), item("\"mode\":-1"), item("\"created\":\"yesterday\""),
            item("\"created\":null"), item("\"modified\":\"9999-12-31T23:59:59Z\""),
            item("\"modified\":\"2026-02-30T00:00:00Z\""), item("\"tags\":\"red\""),
            item("\"tags\":[1]"), item("\"tags\":[\"\"]"), item("\"tags\":[\"a\\u0000\"]"),
            item("\"tags\":[\"\(long)\"]"),
            item("\"tags\":[" + (0...100).map { "\"\($0)\"" }.joined(separator: ",") + "]"),
            item("\"flags\":[\"sparkling\"]"), item("\"xattrs\":{\"a\":\"no base64\"}"),
            item("\"xattrs\":{\"\":\"\"}"), item("\"xattrs\":{\"\(long)\":\"\"}"),
            item("\"xattrs\":{\"a\":\"" + String(repeating: "AAAA", count: 21846) + "\"}"),
            item(
                "\"xattrs\":{" + (0...128).map { "\"\($0)\":\"\"" }.joined(separator: ",") + "}"),
            item("\"content\":\"****\""), item("\"content\":5"), item("\"target\":\"a\""),
            item("\"base\":\"0\""), item("\"base\":\"ZZZ\""), item("\"manifest\":{}"),
        ]

        /// A number that no number can be is no JSON either, to some readers.
        private static let numbers = ["1e400", "-1e400", "1e", "01", "0x10", "NaN", "Infinity"]

        @Test("is refused as no JSON", arguments: malformedBodies)
        func malformed(request: HostileRequest) throws { try request.expectRefusal() }

        @Test("is refused by the field that is at fault", arguments: wrongFields)
        func wrong(request: HostileRequest) throws { try request.expectRefusal() }

        @Test("is refused for a number that is none", arguments: numbers)
        func number(text: String) throws {
            let scene = try Stage.scene
            let caller = scene.server.caller()
            let before = try caller.anchor(of: "Target")

            let answer = try caller.call(
                "PATCH", "\(Stage.Scene.domain)/items/\(scene.file)",
                body: Array("{\"favoriteRank\":\(text)}".utf8),
                headers: ["Content-Type": "application/json"])

            #expect([400, 422].contains(answer.status))
            #expect(answer.isWellFormed)
            #expect(try caller.anchor(of: "Target") == before)
        }

        @Test(
            "is refused for sizes and times beyond what can be",
            arguments: [
                ("/v1/domains", "{\"name\":\"Q\",\"quota\":-1}"),
                ("/v1/domains", "{\"name\":\"Q\",\"quota\":9223372036854775808}"),
                ("/v1/domains", "{\"name\":\"Q\",\"caseRule\":\"loud\"}"),
                ("/v1/domains", "{\"name\":\"Q/../x\"}"), ("/v1/domains", "{\"name\":\"\"}"),
                ("/v1/domains", "{\"name\":\"a\\u0000\"}"),
                ("/v1/accounts", "{\"name\":\"q\",\"password\":\"short\"}"),
                ("/v1/accounts", "{\"name\":\"q\",\"password\":\"long enough\",\"quota\":-5}"),
                ("/v1/accounts", "{\"name\":\"q\",\"password\":\"long enough\",\"role\":\"god\"}"),
                ("/v1/accounts", "{\"name\":\"\",\"password\":\"long enough\"}"),
                ("/v1/accounts", "{\"name\":\"a/b\",\"password\":\"long enough\"}"),
            ])
        func beyond(path: String, body: String) throws {
            let caller = try Stage.server.caller()
            let answer = try caller.call(
                "POST", path, body: Array(body.utf8),
                headers: ["Content-Type": "application/json"])
            #expect(answer.status == 422, "\(answer.text)")
            #expect(answer.isWellFormed)
        }

        @Test("never ends a session's life before it began, nor the server's")
        func lifetimes() throws {
            let server = try Stage.server
            for seconds in ["9223372036854775807", "9223372036", "-1", "0", "1e18"] {
                let body =
                    "{\"account\":\"admin\",\"password\":\"\(server.password)\","
                    + "\"device\":\"x\",\"seconds\":\(seconds)}"
                let answer = try server.stranger().call(
                    "POST", "/v1/sessions", body: Array(body.utf8),
                    headers: ["Content-Type": "application/json"])
                #expect([201, 422].contains(answer.status), "\(seconds): \(answer.text)")
                #expect(try server.stranger().get("/healthz").status == 200, "\(seconds)")
            }
        }

        @Test("may hold what nobody knows yet")
        func unknownFields() throws {
            let caller = try Stage.server.caller()
            let answer = try caller.post(
                Stage.Scene.domain + "/items",
                ["name": "known", "kind": "folder", "colour": "red", "more": [1, ["a": .null]]])
            #expect(answer.status == 201)
        }
    }
}
