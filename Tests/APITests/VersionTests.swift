import Testing

@Suite("A file's versions")
struct VersionTests {
    /// A file that two devices changed without knowing of each other. The second one lost the race
    /// and had its content kept.
    private struct Conflict {
        let server: TestServer
        let path: String
        let base: JSON
        let current: JSON
        let conflict: JSON

        init(_ name: String = "report.odt") async throws {
            server = try await TestServer()
            let phone = try await server.join("admin", device: "phone")
            let file = try await server.file(name, "base")
            path = TestServer.path(file)
            base = file["contentVersion"]
            let etag = "\"\(base.text)\""
            let first = try await server.put(
                path + "/content", text: "desk's", headers: ["If-Match": etag])
            let second = try await server.put(
                path + "/content?onConflict=keep", text: "the phone's", as: phone,
                headers: ["If-Match": etag, "X-Modified": "2026-11-20T00:00:00Z"])
            try #require(second.status == 200, "\(second.text)")
            current = first.item["contentVersion"]
            conflict = second["conflict"]
        }

        func resolve(_ keep: [JSON], base: JSON? = nil) async throws -> TestAnswer {
            try await server.post(
                path + "/conflicts/resolve", ["keep": .array(keep), "base": base ?? current])
        }

        func text(_ version: JSON? = nil) async throws -> String {
            let query = version.map { "?version=\($0.text)" } ?? ""
            return try await server.get(path + "/content" + query).text
        }
    }

    @Test("are all kept: the present one, earlier ones, and one that lost a race")
    func list() async throws {
        let conflict = try await Conflict()

        let versions = try await conflict.server.get(conflict.path + "/versions")["versions"]
        let item = try await conflict.server.get(conflict.path)

        #expect(versions.elements.map { $0["standing"] } == ["conflict", "current", "earlier"])
        #expect(versions.elements.map { $0["device"] } == ["phone", "desk", "desk"])
        #expect(versions[0]["version"] == conflict.conflict)
        #expect(versions[0]["base"] == conflict.base)
        #expect(versions[0]["modified"] == "2026-11-20T00:00:00Z")
        #expect(versions[1]["version"] == conflict.current)
        #expect(versions[2]["version"] == conflict.base)
        #expect(item["conflicts"] == 1)
        #expect(try await conflict.text() == "desk's")
        #expect(try await conflict.text(conflict.conflict) == "the phone's")
    }

    @Test("of a folder are none")
    func folder() async throws {
        let server = try await TestServer()

        #expect(try await server.get(TestServer.path("root") + "/versions")["versions"] == [])
    }

    @Test("that are earlier can be made the present one again")
    func restore() async throws {
        let server = try await TestServer()
        let old = try await server.file("a.txt", "old")
        let new = try await server.file("a.txt", "new")
        let path = TestServer.path(old)
        let restore = path + "/versions/\(old["contentVersion"].text)/restore"

        let stale = try await server.post(restore, ["base": old["contentVersion"]])
        let done = try await server.post(restore, ["base": new["contentVersion"]])

        #expect(stale.code == "stale_content")
        #expect(stale.item == new)
        #expect(done.status == 200)
        #expect(try await server.get(path + "/content").text == "old")
        let versions = try await server.get(path + "/versions")["versions"].elements
        #expect(versions.map { $0["standing"] } == ["current", "earlier", "earlier"])
        #expect(
            try await server.post(path + "/versions/zzz/restore").code == "version_not_available")
        #expect(try await server.post(path + "/versions/!/restore").code == "version_not_available")
    }

    @Test("that lost a race are no conflict any more once they are made the present one")
    func restoreConflict() async throws {
        let conflict = try await Conflict()

        let answer = try await conflict.server.post(
            conflict.path + "/versions/\(conflict.conflict.text)/restore")

        #expect(answer.item["conflicts"].isNull)
        #expect(try await conflict.text() == "the phone's")
        #expect(try await conflict.text(conflict.current) == "desk's")
    }

    @Test("of the same bytes are no conflict")
    func sameBytes() async throws {
        let server = try await TestServer()
        let phone = try await server.join("admin", device: "phone")
        let file = try await server.file("a.txt", "base")
        let etag = "\"\(file["contentVersion"].text)\""
        let path = TestServer.path(file) + "/content"
        try await server.put(path, text: "same", headers: ["If-Match": etag])

        for query in ["", "?onConflict=keep"] {
            let answer = try await server.put(
                path + query, text: "same", as: phone, headers: ["If-Match": etag])
            #expect(answer.status == 200)
            #expect(answer["conflict"].isNull)
        }
    }

    @Test("of one device are none either: what it wrote over the same base is its own")
    func sameDevice() async throws {
        let server = try await TestServer()
        let file = try await server.file("a.txt", "base")
        let etag = "\"\(file["contentVersion"].text)\""
        let path = TestServer.path(file) + "/content"
        try await server.put(path, text: "one", headers: ["If-Match": etag])

        let answer = try await server.put(path, text: "two", headers: ["If-Match": etag])

        #expect(answer.status == 200)
        #expect(answer.item["conflicts"].isNull)
    }

    // MARK: Resolving

    @Test("in conflict are resolved by keeping the present one")
    func keepCurrent() async throws {
        let conflict = try await Conflict()

        let answer = try await conflict.resolve([conflict.current])

        #expect(answer.status == 200)
        #expect(answer.item["conflicts"].isNull)
        #expect(answer["created"].isNull)
        #expect(try await conflict.text() == "desk's")
        #expect(try await conflict.text(conflict.conflict) == "the phone's")
    }

    @Test("in conflict are resolved by keeping the other one")
    func keepOther() async throws {
        let conflict = try await Conflict()

        let answer = try await conflict.resolve([conflict.conflict])

        #expect(answer.item["conflicts"].isNull)
        #expect(try await conflict.text() == "the phone's")
        #expect(try await conflict.server.names() == ["report.odt"])
    }

    @Test("in conflict are resolved by keeping both, under names that a person understands")
    func keepBoth() async throws {
        let conflict = try await Conflict()

        let answer = try await conflict.resolve([conflict.current, conflict.conflict])

        #expect(answer["created"].elements.count == 1)
        #expect(
            try await conflict.server.names()
                == ["report (conflict from phone 2026-11-21).odt", "report.odt"])
        let made = try await conflict.server.get(
            TestServer.path(answer["created"][0]) + "/content")
        #expect(made.text == "the phone's")
        #expect(try await conflict.text() == "desk's")
    }

    @Test("in conflict are not resolved by who has not seen all of it, nor by keeping nothing")
    func refused() async throws {
        let conflict = try await Conflict()

        let stale = try await conflict.resolve([conflict.current], base: conflict.base)
        let nothing = try await conflict.resolve([])
        let unknown = try await conflict.resolve(["zzz"])
        let folder = try await conflict.server.post(
            TestServer.path("root") + "/conflicts/resolve", ["keep": ["zzz"], "base": "zzz"])

        #expect(stale.code == "stale_content")
        #expect(nothing.code == "nothing_kept")
        #expect(nothing["field"] == "keep")
        #expect(unknown.code == "version_not_available")
        #expect(folder.code == "not_a_file")
        #expect(try await conflict.server.get(conflict.path)["conflicts"] == 1)
    }

    @Test("come in pages")
    func pages() async throws {
        let server = try await TestServer()
        let file = try await server.file("a.txt", "0")
        let path = TestServer.path(file)
        for number in 1..<5 { try await server.put(path + "/content", text: "\(number)") }
        let all = try await server.get(path + "/versions")["versions"].elements
        #expect(all.count == 5)
        var found: [JSON] = []
        var query = "?limit=2"
        for size in [2, 2, 1] {
            let page = try await server.get(path + "/versions" + query)
            #expect(page["versions"].elements.count == size)
            found += page["versions"].elements
            query = "?limit=2&cursor=\(page["next"].text)"
            #expect((page["next"] == nil) == (size == 1))
        }
        #expect(found == all)
        #expect(try await server.get(path + "/versions?cursor=x").code == "cursor_expired")
        #expect(try await server.get(path + "/versions?limit=0").code == "bad_parameter")
    }

    @Test("cannot be kept by the thousand")
    func tooMany() async throws {
        let conflict = try await Conflict()
        let answer = try await conflict.resolve(
            Array(repeating: conflict.current, count: 101))
        #expect(answer.status == 422)
        #expect(answer["field"] == "keep")
    }
}
