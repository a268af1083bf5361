import Testing

@Suite("Changing an item")
struct ItemChangeTests {
    @Test("renames and moves it, and leaves its content alone")
    func move() async throws {
        let server = try await TestServer()
        let file = try await server.file("a.txt")
        let folder = try await server.folder("Sub")

        let answer = try await server.patch(
            TestServer.path(file), ["name": "b.txt", "parent": folder["id"]])

        #expect(answer.status == 200)
        #expect(answer.item["name"] == "b.txt")
        #expect(answer.item["parent"] == folder["id"])
        #expect(answer.item["contentVersion"] == file["contentVersion"])
        #expect(answer.item["metadataVersion"] != file["metadataVersion"])
        #expect(try await server.names() == ["Sub"])
        #expect(try await server.names(in: folder["id"].text) == ["b.txt"])
    }

    @Test("sets and takes away what is said of it")
    func metadata() async throws {
        let server = try await TestServer()
        let file = try await server.file("a.txt")
        let path = TestServer.path(file)

        let set = try await server.patch(
            path,
            [
                "mode": "4755", "tags": ["a", "b"], "favoriteRank": -7, "flags": ["package"],
                "lastUsed": "2026-01-01T00:00:00Z", "created": "2001-01-01T00:00:00Z",
                "xattrs": ["user.one": "AQ==", "user.two": "Ag=="],
            ])
        let cleared = try await server.patch(
            path,
            [
                "tags": nil, "favoriteRank": nil, "flags": [], "lastUsed": nil,
                "xattrs": ["user.one": nil, "user.none": nil],
            ])

        #expect(set.item["mode"] == "4755")
        #expect(set.item["tags"] == ["a", "b"])
        #expect(set.item["favoriteRank"] == -7)
        #expect(set.item["created"] == "2001-01-01T00:00:00Z")
        for field in ["tags", "favoriteRank", "flags", "lastUsed"] {
            #expect(cleared.item[field].isNull, "\(field)")
        }
        #expect(cleared.item["mode"] == "4755")
        #expect(cleared.item["xattrs"] == ["user.two": "Ag=="])
    }

    @Test("with nothing new changes nothing")
    func nothing() async throws {
        let server = try await TestServer()
        let file = try await server.file("a.txt")
        let anchor = try await server.anchor()

        let answer = try await server.patch(
            TestServer.path(file), ["name": "a.txt", "mode": "0644", "tags": []])

        #expect(answer.item == file)
        #expect(try await server.anchor() == anchor)
    }

    @Test("merges field by field with what others changed since the version that was seen")
    func merge() async throws {
        let server = try await TestServer()
        let file = try await server.file("a.txt")
        let path = TestServer.path(file)
        try await server.patch(path, ["name": "theirs.txt", "xattrs": ["user.x": "AQ=="]])

        let answer = try await server.patch(
            path,
            [
                "base": file["metadataVersion"], "name": "mine.txt", "tags": ["mine"],
                "xattrs": ["user.x": "Ag==", "user.y": "Aw=="],
            ])

        #expect(answer.status == 200)
        #expect(answer["notApplied"] == ["name", "xattrs.user.x"])
        #expect(answer.item["name"] == "theirs.txt")
        #expect(answer.item["tags"] == ["mine"])
        #expect(answer.item["xattrs"] == ["user.x": "AQ==", "user.y": "Aw=="])
    }

    @Test(
        "is refused where it makes no sense",
        arguments: [
            (["name": "taken.txt"], 409, "name_taken"),
            (["name": ".."], 422, "bad_name"),
            (["name": 7], 422, "bad_field"),
            (["parent": "zzz"], 404, "no_such_item"),
            (["mode": nil], 422, "bad_field"),
            (["target": "x"], 422, "bad_field"),
            (["xattrs": ["": "AQ=="]], 422, "bad_field"),
            (["xattrs": ["user.x": "not base64"]], 422, "bad_field"),
            (["base": "?"], 422, "bad_field"),
        ] as [(JSON, Int, String)])
    func refused(change: JSON, status: Int, code: String) async throws {
        let server = try await TestServer()
        let file = try await server.file("a.txt")
        try await server.file("taken.txt")

        let answer = try await server.patch(TestServer.path(file), change)

        #expect(answer.status == status)
        #expect(answer.code == code)
        #expect(try await server.item(file["id"].text) == file)
    }

    @Test("does not bring a folder into itself, nor anything into a file")
    func impossibleMoves() async throws {
        let server = try await TestServer()
        let outer = try await server.folder("outer")
        let inner = try await server.folder("inner", in: outer["id"].text)
        let file = try await server.file("a.txt")

        let intoItself = try await server.patch(TestServer.path(outer), ["parent": inner["id"]])
        let intoFile = try await server.patch(TestServer.path(outer), ["parent": file["id"]])

        #expect(intoItself.code == "move_into_itself")
        #expect(intoFile.code == "not_a_folder")
    }

    @Test("does not move root and trash", arguments: ["root", "trash"])
    func permanent(name: String) async throws {
        let server = try await TestServer()

        let answer = try await server.patch(TestServer.path(name), ["name": "other"])

        #expect(answer.status == 409)
        #expect(answer.code == "permanent_item")
    }

    @Test("by a move to the trash is trashing it")
    func moveToTrash() async throws {
        let server = try await TestServer()
        let file = try await server.file("a.txt")

        let answer = try await server.patch(TestServer.path(file), ["parent": "trash"])

        #expect(answer.item["parent"] == "trash")
        #expect(answer.item["trashedFrom"] == "root")
    }
}

@Suite("Deleting an item")
struct ItemDeletionTests {
    @Test("is done at once, and once")
    func delete() async throws {
        let server = try await TestServer()
        let file = try await server.file("a.txt")

        #expect(try await server.delete(TestServer.path(file)).status == 204)
        #expect(try await server.delete(TestServer.path(file)).status == 204)

        #expect(try await server.get(TestServer.path(file)).status == 404)
        #expect(try await server.names() == [])
    }

    @Test("of a folder with something in it has to be said")
    func recursive() async throws {
        let server = try await TestServer()
        try await server.file("d/e/a.txt")
        let folder = try await server.get("/v1/domains/Work/files/")["items"][0]

        let refused = try await server.delete(TestServer.path(folder))
        let done = try await server.delete(TestServer.path(folder) + "?recursive=true")

        #expect(refused.code == "folder_not_empty")
        #expect(done.status == 204)
        #expect(try await server.get("/v1/domains/Work")["items"] == 0)
    }

    @Test("is refused when the file has another content than the one that was seen")
    func base() async throws {
        let server = try await TestServer()
        let old = try await server.file("a.txt", "old")
        let new = try await server.file("a.txt", "new")

        let refused = try await server.delete(
            TestServer.path(old) + "?base=\(old["contentVersion"].text)")
        let done = try await server.delete(
            TestServer.path(old) + "?base=\(new["contentVersion"].text)")

        #expect(refused.status == 409)
        #expect(refused.code == "deletion_rejected")
        #expect(refused.item == new)
        #expect(done.status == 204)
    }

    @Test("never takes the root away; of the trash, it empties it")
    func permanent() async throws {
        let server = try await TestServer()
        let file = try await server.file("a.txt")
        try await server.post(TestServer.path(file) + "/trash")

        #expect(
            try await server.delete(TestServer.path("root") + "?recursive=true").code
                == "permanent_item")
        #expect(try await server.delete(TestServer.path("trash")).code == "folder_not_empty")
        #expect(
            try await server.delete(TestServer.path("trash") + "?recursive=true").status == 204)
        #expect(try await server.names(in: "trash") == [])
    }

    @Test(
        "is refused with parameters that make no sense", arguments: ["base=!", "recursive=maybe"])
    func badParameters(query: String) async throws {
        let server = try await TestServer()
        let file = try await server.file("a.txt")

        let answer = try await server.delete(TestServer.path(file) + "?" + query)

        #expect(answer.status == 400)
        #expect(answer.code == "bad_parameter")
        #expect(answer["field"].text == String(query.prefix { $0 != "=" }))
    }
}
