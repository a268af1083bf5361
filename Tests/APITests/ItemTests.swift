import BasketHTTP
import Testing

@Suite("An item")
struct ItemTests {
    @Test("is a folder, a file or a symlink")
    func kinds() async throws {
        let server = try await TestServer()

        let folder = try await server.folder("Photos")
        let file = try await server.post(
            TestServer.items,
            [
                "parent": folder["id"], "name": "a.txt", "kind": "file", "content": "aGVsbG8=",
                "modified": "2020-02-29T12:00:00.5Z", "mode": "0600", "flags": ["hidden"],
                "tags": ["one", "zwei"], "favoriteRank": 3, "xattrs": ["user.note": "AAEC"],
                "lastUsed": "2021-01-01T00:00:00Z",
            ])
        let link = try await server.post(
            TestServer.items, ["name": "latest", "kind": "symlink", "target": "../Photos"])

        #expect(folder["kind"] == "folder")
        #expect(folder["parent"] == "root")
        #expect(folder["children"] == 0)
        #expect(folder["mode"] == "0755")
        #expect(file.status == 201)
        #expect(file.item["size"] == 5)
        #expect(
            file.item["sha256"]
                == "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824")
        #expect(file.item["modified"] == "2020-02-29T12:00:00.5Z")
        #expect(file.item["mode"] == "0600")
        #expect(file.item["flags"] == ["hidden"])
        #expect(file.item["tags"] == ["one", "zwei"])
        #expect(file.item["favoriteRank"] == 3)
        #expect(file.item["xattrs"] == ["user.note": "AAEC"])
        #expect(link.item["target"] == "../Photos")
        #expect(try await server.item(file.item["id"].text) == file.item)
        #expect(try await server.item(folder["id"].text)["children"] == 1)
    }

    @Test("without content has none")
    func noContent() async throws {
        let server = try await TestServer()

        let made = try await server.post(TestServer.items, ["name": "new.txt", "kind": "file"])

        #expect(made.item["size"] == 0)
        #expect(made.item["sha256"].isNull)
        let path = TestServer.path(made.item)
        let content = try await server.get(path + "/content")
        #expect(content.status == 200)
        #expect(content.body == [])
        #expect(try await server.get(path + "/manifest").code == "no_content")
    }

    @Test(
        "is refused with what it cannot have",
        arguments: [
            (["kind": "file"], 422, "bad_field", "name"),
            (["name": "a"], 422, "bad_field", "kind"),
            (["name": "a", "kind": "socket"], 422, "bad_field", "kind"),
            (["name": "", "kind": "file"], 422, "bad_name", "name"),
            (["name": "..", "kind": "file"], 422, "bad_name", "name"),
            (["name": "a/b", "kind": "file"], 422, "bad_name", "name"),
            (["name": "a\u{0}b", "kind": "file"], 422, "bad_name", "name"),
            (
                ["name": .string(String(repeating: "é", count: 128)), "kind": "file"], 422,
                "bad_name", "name"
            ),
            (["name": "a", "kind": "file", "mode": "rwx"], 422, "bad_field", "mode"),
            (["name": "a", "kind": "file", "mode": 420], 422, "bad_field", "mode"),
            (["name": "a", "kind": "file", "modified": "yesterday"], 422, "bad_field", "modified"),
            (["name": "a", "kind": "file", "flags": ["loud"]], 422, "bad_field", "flags"),
            (["name": "a", "kind": "file", "content": "§"], 422, "bad_field", "content"),
            (["name": "a", "kind": "folder", "content": ""], 422, "bad_field", "content"),
            (["name": "a", "kind": "file", "target": "b"], 422, "bad_field", "target"),
            (["name": "a", "kind": "symlink"], 422, "bad_field", "target"),
            (["name": "a", "kind": "file", "tags": [""]], 422, "bad_field", "tags"),
            (["name": "a", "kind": "file", "ifExists": "replace"], 422, "bad_field", "ifExists"),
            (["name": "a", "kind": "file", "base": "!"], 422, "bad_field", "base"),
            (["name": "a", "kind": "file", "parent": "zzz"], 404, "no_such_item", ""),
            (["name": "a", "kind": "file", "parent": "trash"], 409, "permanent_item", ""),
        ] as [(JSON, Int, String, String)])
    func badFields(body: JSON, status: Int, code: String, field: String) async throws {
        let server = try await TestServer()

        let answer = try await server.post(TestServer.items, body)

        #expect(answer.status == status)
        #expect(answer.code == code)
        #expect(answer["field"].text == field)
        #expect(try await server.names() == [])
    }

    @Test("is refused with more bytes than a request may bear")
    func tooMuchContent() async throws {
        let content = JSON.string(String(repeating: "AAAA", count: 22_000))

        let answer = try await TestServer().post(
            TestServer.items, ["name": "a", "kind": "file", "content": content])

        #expect(answer.status == 413)
        #expect(answer["limit"] == 65536)
    }

    @Test("is not put into a file")
    func notAFolder() async throws {
        let server = try await TestServer()
        let file = try await server.file("a.txt")

        let answer = try await server.post(
            TestServer.items, ["parent": file["id"], "name": "b", "kind": "folder"])

        #expect(answer.status == 409)
        #expect(answer.code == "not_a_folder")
    }

    // MARK: Names that are taken

    @Test("with a taken name is refused, and its holder shown")
    func nameTaken() async throws {
        let server = try await TestServer()
        let first = try await server.file("a.txt")

        let answer = try await server.post(TestServer.items, ["name": "a.txt", "kind": "folder"])

        #expect(answer.status == 409)
        #expect(answer.code == "name_taken")
        #expect(answer["existing"] == first["id"])
        #expect(answer.item == first)
    }

    @Test("with a taken name takes the next free one when that is asked for")
    func rename() async throws {
        let server = try await TestServer()
        try await server.file("a.txt")

        for expected in ["a 2.txt", "a 3.txt"] {
            let answer = try await server.post(
                TestServer.items, ["name": "a.txt", "kind": "file", "ifExists": "rename"])
            #expect(answer.item["name"].text == expected)
        }
    }

    @Test("with a taken name is the one that is there when that is asked for")
    func merge() async throws {
        let server = try await TestServer()
        let folder = try await server.folder("Photos")
        let file = try await server.file("a.txt", "hello")
        func merge(_ body: JSON) async throws -> TestAnswer {
            try await server.post(TestServer.items, body)
        }

        let again = try await merge(["name": "Photos", "kind": "folder", "ifExists": "merge"])
        #expect(again.status == 200, "nothing was made")
        let other = try await merge(["name": "Photos", "kind": "file", "ifExists": "merge"])
        let same = try await merge(
            ["name": "a.txt", "kind": "file", "ifExists": "merge", "content": "aGVsbG8="])
        let stale = try await merge(
            ["name": "a.txt", "kind": "file", "ifExists": "merge", "content": "bmV3"])
        let new = try await merge(
            [
                "name": "a.txt", "kind": "file", "ifExists": "merge", "content": "bmV3",
                "base": file["contentVersion"],
            ])

        #expect(again.item["id"] == folder["id"])
        #expect(other.code == "name_taken")
        #expect(same.item["contentVersion"] == file["contentVersion"])
        #expect(stale.status == 412)
        #expect(stale.code == "stale_content")
        #expect(stale.item == file)
        #expect(new.item["id"] == file["id"])
        #expect(new.item["size"] == 3)
    }

    @Test("in a portable domain has a name that any system holds, whatever its case")
    func portable() async throws {
        let server = try await TestServer()
        try await server.post("/v1/domains", ["name": "Shared", "caseRule": "portable"])
        func make(_ name: String) async throws -> TestAnswer {
            try await server.post(
                "/v1/domains/Shared/items", ["name": .string(name), "kind": "folder"])
        }

        #expect(try await make("Ärger").status == 201)
        #expect(try await make("ÄRGER").code == "name_taken")
        #expect(try await make("A\u{308}rger").code == "name_taken")
        #expect(try await make("nul.txt").code == "bad_name")
        #expect(try await make("what?").code == "bad_name")
        #expect(try await make("dot.").code == "bad_name")
    }

    @Test("is not there when it never was", arguments: ["zzz", "0", "UPPER", "%F0%9F%8D%8E"])
    func unknown(id: String) async throws {
        let server = try await TestServer()
        let path = TestServer.path(id)

        for answer in [
            try await server.get(path), try await server.get(path + "/children"),
            try await server.get(path + "/content"),
            try await server.put(path + "/content", text: ""),
            try await server.patch(path, ["name": "x"]), try await server.delete(path),
            try await server.post(path + "/trash"), try await server.post(path + "/restore"),
        ] {
            #expect(answer.status == 404)
            #expect(answer.code == "no_such_item")
        }
    }
}
