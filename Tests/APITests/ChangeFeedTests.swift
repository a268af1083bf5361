import BasketHTTP
import Testing

@Suite("The change feed", .timeLimit(.minutes(60)))
struct ChangeFeedTests {
    private let changes = "/v1/domains/Work/changes"

    private func names(_ items: JSON) -> [String] {
        items.elements.map { $0["name"].text }
    }

    @Test("without an anchor tells everything that there is, folders first")
    func first() async throws {
        let server = try await TestServer()
        try await server.file("d/e/a.txt")
        try await server.file("gone.txt")
        try await server.delete("/v1/domains/Work/files/gone.txt")

        let answer = try await server.get(changes)

        #expect(names(answer["items"]) == ["root", "d", "e", "a.txt"])
        #expect(answer["items"][0]["id"] == "root")
        #expect(answer["more"] == false)
        #expect(answer["anchor"].text == (try await server.anchor()))
    }

    @Test("since an anchor tells what changed, each item once, deleted ones as tombstones")
    func since() async throws {
        let server = try await TestServer()
        let kept = try await server.file("kept.txt")
        let gone = try await server.file("gone.txt")
        let anchor = try await server.anchor()
        try await server.file("new.txt")
        try await server.patch(TestServer.path(kept), ["name": "renamed.txt"])
        try await server.patch(TestServer.path(kept), ["mode": "0600"])
        try await server.delete(TestServer.path(gone))

        let answer = try await server.get(changes + "?since=\(anchor)")

        #expect(names(answer["items"]) == ["new.txt", "renamed.txt", "gone.txt"])
        #expect(!answer["items"][2]["deleted"].isNull)
        #expect(answer["items"][2]["id"] == gone["id"])
        let later = answer["anchor"].text
        #expect(try await server.get(changes + "?since=\(later)")["items"] == [])
    }

    @Test("comes in pages that together are all of it", arguments: [1, 2, 3, 100])
    func pages(limit: Int) async throws {
        let server = try await TestServer()
        for number in 0..<7 { try await server.file("\(number)") }
        let all = names(try await server.get(changes)["items"])

        var found: [String] = []
        var anchor = ""
        var hasMore = true
        while hasMore {
            let since = anchor.isEmpty ? "" : "&since=\(anchor)"
            let page = try await server.get(changes + "?limit=\(limit)" + since)
            found += names(page["items"])
            anchor = page["anchor"].text
            hasMore = page["more"] == true
            try #require(found.count <= all.count)
        }

        #expect(found == all)
    }

    @Test("comes in one stream for who asks for that")
    func stream() async throws {
        let server = try await TestServer()
        for number in 0..<5 { try await server.file("\(number)") }
        let anchor = try await server.anchor()
        let accept: KeyValuePairs = ["Accept": "application/x-ndjson"]

        let all = try await server.get(changes, headers: accept)
        let none = try await server.get(changes + "?since=\(anchor)", headers: accept)
        let expired = try await server.get(changes + "?since=1-1", headers: accept)

        #expect(all.type == "application/x-ndjson")
        #expect(all.lines.dropLast().map { $0["name"] } == ["root", "0", "1", "2", "3", "4"])
        #expect(all.lines.last == ["anchor": .string(anchor)])
        #expect(none.lines == [["anchor": .string(anchor)]])
        #expect(expired.code == "anchor_expired")
    }

    @Test("answers who waits as soon as something happens")
    func wait() async throws {
        let server = try await TestServer()
        let anchor = try await server.anchor()

        async let waiting = server.get(changes + "?since=\(anchor)&wait=60")
        await server.clock.somebodySleeps()
        try await server.file("new.txt")
        let answer = try await waiting

        #expect(names(answer["items"]) == ["new.txt"])
        #expect(server.listenerCount == 0)
    }

    @Test("tells nothing to who was logged out while waiting")
    func loggedOut() async throws {
        let server = try await TestServer()
        let phone = try await server.join("admin", device: "phone")
        let anchor = try await server.anchor()

        async let waiting = server.get(changes + "?since=\(anchor)&wait=60", as: phone)
        await server.clock.somebodySleeps()
        try await server.delete("/v1/sessions/current", as: phone)
        try await server.file("secret.txt")
        let answer = try await waiting

        #expect(answer.status == 401)
        #expect(!answer.text.contains("secret"))
    }

    @Test("tells nothing to whose token ended while waiting")
    func expiredToken() async throws {
        let server = try await TestServer()
        let session = try await server.post(
            "/v1/sessions",
            [
                "account": "admin", "password": .string(TestServer.password), "device": "guest",
                "seconds": 3,
            ], as: .nobody)
        let guest = Caller.token(session["token"].text)
        let anchor = try await server.anchor()

        async let waiting = server.get(changes + "?since=\(anchor)&wait=60", as: guest)
        await server.clock.somebodySleeps()
        server.clock.advance(.seconds(3))
        try await server.file("secret.txt")
        let answer = try await waiting

        #expect(answer.status == 401)
        #expect(!answer.text.contains("secret"))
    }

    @Test("answers who waits when the time is over")
    func waitInVain() async throws {
        let server = try await TestServer()
        let anchor = try await server.anchor()

        async let waiting = server.get(changes + "?since=\(anchor)&wait=30")
        await server.clock.somebodySleeps()
        server.clock.advance(.seconds(30))
        let answer = try await waiting

        #expect(answer["items"] == [])
        #expect(answer["anchor"].text == anchor)
    }

    @Test("does not keep anybody waiting for what is there")
    func noWait() async throws {
        let server = try await TestServer()
        let anchor = try await server.anchor()
        try await server.file("new.txt")

        let answer = try await server.get(changes + "?since=\(anchor)&wait=60")
        let first = try await server.get(changes + "?wait=60")

        #expect(names(answer["items"]) == ["new.txt"])
        #expect(first["items"].elements.count == 2)
    }

    @Test("begins anew when it is reset, or when the anchor is not one of it")
    func expired() async throws {
        let server = try await TestServer()
        let anchor = try await server.anchor()

        let reset = try await server.post("/v1/domains/Work/anchor/reset")

        #expect(reset["anchor"].text != anchor)
        #expect(try await server.anchor() == reset["anchor"].text)
        for since in [anchor, "nonsense", "1-1", "", "zzz-9"] {
            let answer = try await server.get(changes + "?since=\(since)")
            #expect(answer.status == 410)
            #expect(answer.code == "anchor_expired")
        }
    }

    @Test(
        "is refused with parameters that make no sense",
        arguments: [
            "limit=0", "limit=2001", "limit=%2B5", "wait=-1", "wait=-0", "wait=61", "wait=long",
            "wait=",
        ])
    func badParameters(query: String) async throws {
        let answer = try await TestServer().get(changes + "?" + query)

        #expect(answer.status == 400)
        #expect(answer["field"].text == String(query.prefix { $0 != "=" }))
    }
}
