import BasketHTTP
import Testing

@Suite("A request with a body of JSON")
struct RequestTests {
    private func post(
        _ body: String, type: String? = "application/json"
    ) async throws -> TestAnswer {
        var request = try TestRequest(.post, "/v1/domains")
        request.headers = type.map { [("Content-Type", $0)] } ?? []
        request.body = Array(body.utf8)
        return try await TestServer().send(request)
    }

    @Test(
        "is refused when it is no JSON",
        arguments: ["", "{", "nonsense", #"{"name":}"#, "[1,2", "\u{0}"])
    func noJSON(body: String) async throws {
        let answer = try await post(body)

        #expect(answer.status == 400)
        #expect(answer.code == "bad_json")
    }

    @Test("is refused when it is no object", arguments: ["[]", "7", #""name""#, "null"])
    func noObject(body: String) async throws {
        let answer = try await post(body)

        #expect(answer.status == 400)
        #expect(answer.code == "bad_json")
    }

    @Test("is refused when its text is not UTF-8")
    func notUTF8() async throws {
        var request = try TestRequest(.post, "/v1/domains")
        request.headers = [("Content-Type", "application/json")]
        request.body = Array(#"{"name":""#.utf8) + [0xff, 0xfe] + Array(#""}"#.utf8)

        let answer = try await TestServer().send(request)

        #expect(answer.status == 400)
        #expect(answer.code == "bad_json")
    }

    @Test("is refused when it is deeper than anybody needs")
    func deep() async throws {
        let depth = 100_000
        let deep = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)

        let answer = try await post(#"{"name":"# + deep + "}")

        #expect(answer.status == 400)
    }

    @Test(
        "is refused when it does not say so: a page of another site could send it",
        arguments: [nil, "text/plain", "application/x-www-form-urlencoded", "application/jsonish"])
    func type(type: String?) async throws {
        let answer = try await post(#"{"name":"New"}"#, type: type)

        #expect(answer.status == 415)
        #expect(answer.code == "not_json")
    }

    @Test("is taken with parameters of its type")
    func charset() async throws {
        let answer = try await post(#"{"name":"New"}"#, type: "Application/JSON; charset=utf-8")

        #expect(answer.status == 201)
    }

    @Test("may bear members that are not known")
    func unknownMembers() async throws {
        var request = try TestRequest(.post, "/v1/domains")
        request.headers = [("Content-Type", "application/json")]
        request.body = Array(#"{"name":"New","colour":{"deep":[1,2,3]}}"#.utf8)

        let answer = try await TestServer().send(request, isDescribed: false)

        #expect(answer.status == 201)
    }

    @Test("is refused when it is larger than what is taken", arguments: [true, false])
    func tooLarge(isAnnounced: Bool) async throws {
        var request = try TestRequest(.post, "/v1/domains")
        request.headers = [("Content-Type", "application/json")]
        request.body = Array(#"{"name":"New"}"#.utf8) + [UInt8](repeating: 0x20, count: 1 << 20)
        request.announcesLength = isAnnounced

        let answer = try await TestServer().send(request)

        #expect(answer.status == 413)
        #expect(answer.code == "body_too_large")
        #expect(answer["limit"] == 1_048_576)
    }

    @Test(
        "is told which words there are, and what a member must be",
        arguments: [
            ("/v1/domains", ["name": "a", "caseRule": "loud"], "posix, portable"),
            (TestServer.items, ["name": "a", "kind": "alias"], "file, folder, symlink"),
            (
                TestServer.items, ["name": "a", "kind": "folder", "ifExists": "clobber"],
                "fail, merge, rename"
            ),
            (
                "/v1/accounts", ["name": "a", "password": "long enough", "role": "king"],
                "administrator, member"
            ),
            (TestServer.items, ["name": "a", "kind": "folder", "tags": "a"], "must be a list"),
            (TestServer.items, ["name": "a", "kind": "folder", "xattrs": 7], "must be an object"),
        ] as [(String, JSON, String)])
    func words(path: String, body: JSON, told: String) async throws {
        let answer = try await TestServer().post(path, body)

        #expect(answer.status == 422)
        #expect(answer["detail"].text.contains(told), "\(answer.text)")
    }

    @Test(
        "is refused with a number that does not fit",
        arguments: ["99999999999999999999", "1e400", "-1", "0.5"])
    func numbers(number: String) async throws {
        let answer = try await post(#"{"name":"New","quota":\#(number)}"#)

        #expect(answer.status == 422)
        #expect(answer.code == "bad_field")
    }
}
