import BasketHTTP
import Testing

@Suite("A batch")
struct BatchTests {
    private let batch = "/v1/domains/Work/batch"

    @Test("does many things in one commit, each with its own result")
    func all() async throws {
        let server = try await TestServer()
        let a = try await server.file("a.txt")
        let b = try await server.file("b.txt")
        let c = try await server.file("c.txt")
        try await server.post(TestServer.path(c) + "/trash")
        let anchor = try await server.anchor()

        let answer = try await server.post(
            batch,
            [
                "operations": [
                    ["op": "create", "name": "new.txt", "kind": "file", "content": "aGk="],
                    ["op": "change", "item": a["id"], "name": "renamed.txt"],
                    ["op": "trash", "item": b["id"]],
                    ["op": "restore", "item": c["id"], "name": "back.txt"],
                    ["op": "delete", "item": a["id"]],
                ]
            ])

        #expect(answer.status == 200)
        let results = answer["results"].elements
        #expect(results.map { $0["status"] } == [201, 200, 200, 200, 204])
        #expect(results[0]["body"]["item"]["size"] == 2)
        #expect(results[4]["body"].isNull)
        #expect(try await server.names() == ["back.txt", "new.txt"])
        let feed = try await server.get("/v1/domains/Work/changes?since=\(anchor)")
        #expect(feed["items"].elements.count == 4)
    }

    @Test(
        "does on a full disk what needs no room, where the rest may fail", arguments: [false, true])
    func fullDisk(isAtomic: Bool) async throws {
        let server = try await TestServer(capacity: 1_000_000)
        let file = try await server.file("a.bin", bytes: patterned(700_000))
        let content = String(repeating: "QUFB", count: 100_000)
        let answer = try await server.post(
            batch,
            [
                "atomic": .bool(isAtomic),
                "operations": [
                    ["op": "create", "name": "b.bin", "kind": "file", "content": .string(content)],
                    ["op": "change", "item": file["id"], "name": "c.bin"],
                    ["op": "delete", "item": file["id"]],
                ],
            ])
        guard !isAtomic else {
            #expect(answer.status == 507 && answer.code == "disk_full")
            #expect(try await server.names() == ["a.bin"])
            return
        }
        #expect(answer.status == 200)
        let results = answer["results"].elements
        #expect(results.map { $0["status"] } == [507, 200, 204])
        #expect(results[0]["problem"]["code"] == "disk_full")
        #expect(try await server.names() == [])
    }

    @Test("lets what can be done be done, and says why the rest cannot")
    func partial() async throws {
        let server = try await TestServer()
        let file = try await server.file("a.txt")

        let answer = try await server.post(
            batch,
            [
                "operations": [
                    ["op": "create", "name": "a.txt", "kind": "folder"],
                    ["op": "create", "name": "b", "kind": "folder"],
                    ["op": "trash", "item": "zzz"],
                    ["op": "delete", "item": file["id"], "base": "zzz"],
                ]
            ])

        #expect(answer.status == 200)
        let results = answer["results"].elements
        #expect(results.map { $0["status"] } == [409, 201, 404, 409])
        #expect(results[0]["problem"]["code"] == "name_taken")
        #expect(results[0]["problem"]["item"] == file)
        #expect(results[2]["problem"]["code"] == "no_such_item")
        #expect(results[3]["problem"]["code"] == "deletion_rejected")
        #expect(try await server.names() == ["a.txt", "b"])
    }

    @Test("that is atomic is done as a whole or not at all")
    func atomic() async throws {
        let server = try await TestServer(groups: true)
        let anchor = try await server.anchor()
        let good: JSON = ["op": "create", "name": "a", "kind": "folder"]
        let bad: JSON = ["op": "trash", "item": "zzz"]

        let failed = try await server.post(batch, ["atomic": true, "operations": [good, bad]])

        #expect(failed.status == 409)
        let results = failed["results"].elements
        #expect(results.map { $0["status"] } == [424, 404])
        #expect(results[0]["problem"]["code"] == "undone")
        #expect(results[0]["problem"]["field"] == "operations.1")
        #expect(results[0]["body"].isNull)
        #expect(results[1]["problem"]["code"] == "no_such_item")
        #expect(try await server.names() == [])
        #expect(try await server.anchor() == anchor)
        let done = try await server.post(batch, ["atomic": true, "operations": [good]])
        #expect(done.status == 200)
        #expect(try await server.names() == ["a"])
    }

    @Test("may be empty, and be of a thousand, but of no more")
    func sizes() async throws {
        let server = try await TestServer()
        func operations(_ count: Int) -> JSON {
            .array((0..<count).map { ["op": "create", "name": "\($0)", "kind": "folder"] })
        }

        let empty = try await server.post(batch, ["operations": []])
        let many = try await server.post(batch, ["operations": operations(1000)])
        let tooMany = try await server.post(batch, ["operations": operations(1001)])

        #expect(empty.json == ["results": []])
        #expect(many["results"].elements.count == 1000)
        #expect(tooMany.status == 422)
        #expect(tooMany["field"] == "operations")
        #expect(try await server.get("/v1/domains/Work")["items"] == 1000)
    }

    @Test("answers with identifiers once the items have grown to megabytes")
    func longAnswer() async throws {
        let server = try await TestServer()
        let file = try await server.file("a.txt")
        let id = file["id"]
        let large = JSON.string(String(repeating: "QUJD", count: 20_000))
        try await server.patch(TestServer.path(file), ["xattrs": ["user.large": large]])
        let change: JSON = ["op": "change", "item": id, "favoriteRank": 1]
        let operations =
            (0..<200).map { _ in change } + [["op": "create", "name": "new", "kind": "folder"]]

        let answer = try await server.post(batch, ["operations": .array(operations)])

        #expect(answer.status == 200 && answer.body.count < 5 << 20)
        let results = answer["results"].elements
        #expect(results.count == 201 && results[0]["body"]["item"]["id"] == id)
        #expect(results[199]["id"] == id && results[199]["body"] == .null)
        #expect(results[200]["status"] == 201)
        let made = try await server.get("/v1/domains/Work/items/\(results[200]["id"].text)")
        #expect(made["name"] == "new")
    }

    @Test("by batch, a folder of thousands is deleted by one request", arguments: [true, false])
    func large(byPath: Bool) async throws {
        let server = try await TestServer()
        let folder = try await server.post(
            "/v1/domains/Work/items", ["name": "large", "kind": "folder"]
        ).item["id"].text
        for part in 0..<3 {
            let names = (0..<1000).map { JSON.string("\(part) \($0)") }
            let made = try await server.post(
                batch,
                [
                    "operations": .array(
                        names.map {
                            [
                                "op": "create", "name": $0, "kind": "folder",
                                "parent": .string(folder),
                            ]
                        })
                ])
            #expect(made.status == 200)
        }
        let target =
            byPath ? "/v1/domains/Work/files/large" : TestServer.path(folder)
        let key: KeyValuePairs = ["Idempotency-Key": "once"]

        let refused = try await server.delete(target)
        #expect(refused.code == "folder_not_empty")
        #expect(try await server.get("/v1/domains/Work")["items"] == 3001)
        let deleted = try await server.delete(target + "?recursive=true", headers: key)
        #expect(deleted.status == 204)
        #expect(try await server.get("/v1/domains/Work")["items"] == 0)
        #expect(try await server.delete(target + "?recursive=true", headers: key).status == 204)
    }

    @Test(
        "is refused as a whole when an operation cannot be read",
        arguments: [
            (["op": "explode"], "operations.0.op"), ([:], "operations.0.op"),
            (["op": "trash"], "operations.0.item"),
            (["op": "create", "name": "a"], "operations.0.kind"),
            (["op": "delete", "item": "a", "recursive": 7], "operations.0.recursive"),
            (["op": "create", "name": "a", "kind": "alias"], "operations.0.kind"),
        ] as [(JSON, String)])
    func unreadable(operation: JSON, field: String) async throws {
        let server = try await TestServer()

        let answer = try await server.post(
            batch, ["operations": [operation, ["op": "create", "name": "b", "kind": "folder"]]])

        #expect(answer.status == 422)
        #expect(answer["field"].text == field)
        #expect(try await server.names() == [])
    }

    @Test("tells what is wrong with one content without losing the others")
    func contents() async throws {
        let server = try await TestServer()
        let missing = JSON.string(String(repeating: "ab", count: 32))

        let answer = try await server.post(
            batch,
            [
                "operations": [
                    [
                        "op": "create", "name": "a", "kind": "file",
                        "manifest": [
                            "size": 70_000, "hash": missing,
                            "chunks": [["length": 70_000, "hash": missing]],
                        ],
                    ],
                    ["op": "create", "name": "b", "kind": "file", "content": "aGk="],
                ]
            ])

        #expect(answer["results"].elements.map { $0["status"] } == [409, 201])
        #expect(answer["results"][0]["problem"]["missing"] == [missing])
    }

    @Test("of a reader does nothing")
    func reader() async throws {
        let server = try await TestServer()
        let ada = try await server.join("ada")
        try await server.invite("ada", "reader")

        let answer = try await server.post(
            batch, ["operations": [["op": "create", "name": "a", "kind": "folder"]]], as: ada)

        #expect(answer["results"][0]["problem"]["code"] == "forbidden")
        #expect(try await server.names() == [])
    }
}
