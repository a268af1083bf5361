import BasketAPI
import BasketBlobs
import BasketContent
import BasketHTTP
import Testing

@Suite("Writing a content")
struct ContentWritingTests {
    @Test("makes it the present one", arguments: ContentSize.allCases, [true, false])
    func replace(size: ContentSize, isAnnounced: Bool) async throws {
        let server = try await TestServer()
        let file = try await server.file("a.bin", "old")
        var request = try TestRequest(.put, TestServer.path(file) + "/content")
        request.body = size.bytes
        request.announcesLength = isAnnounced

        let answer = try await server.send(request)

        #expect(answer.status == 200)
        #expect(answer.item["size"].int == size.rawValue)
        #expect(answer.item["sha256"].text == ContentHash(of: size.bytes).hex)
        #expect(answer.item["contentVersion"] != file["contentVersion"])
        let content = try await server.get(TestServer.path(file) + "/content")
        #expect(content.body == size.bytes)
    }

    @Test("keeps the date that is said")
    func date() async throws {
        let server = try await TestServer()
        let path = TestServer.path(try await server.file("a.txt")) + "/content"
        let date = "2019-05-06T07:08:09.25Z"

        let header = try await server.put(path, text: "one", headers: ["X-Modified": date])
        let query = try await server.put(path + "?modified=2018-01-01T00:00:00Z", text: "two")
        let bad = try await server.put(path, text: "three", headers: ["X-Modified": "then"])

        #expect(header.item["modified"].text == date)
        #expect(query.item["modified"] == "2018-01-01T00:00:00Z")
        #expect(bad.code == "bad_parameter")
        #expect(bad["field"] == "X-Modified")
    }

    @Test("that is there already changes nothing", arguments: ContentSize.allCases)
    func same(size: ContentSize) async throws {
        let server = try await TestServer()
        let file = try await server.file("a.bin", bytes: size.bytes)
        let anchor = try await server.anchor()

        let answer = try await server.put(TestServer.path(file) + "/content", bytes: size.bytes)

        #expect(answer.item == file)
        #expect(try await server.anchor() == anchor)
    }

    @Test("is refused when another version is there than the one that was seen")
    func stale() async throws {
        let server = try await TestServer()
        let phone = try await server.join("admin", device: "phone")
        let old = try await server.file("a.txt", "old")
        let new = try await server.file("a.txt", "new")
        let path = TestServer.path(old) + "/content"
        let etag = "\"\(old["contentVersion"].text)\""

        let answer = try await server.put(path, text: "x", as: phone, headers: ["If-Match": etag])

        #expect(answer.status == 412)
        #expect(answer.code == "stale_content")
        #expect(answer.item == new)
        #expect(try await server.get(path).text == "new")
    }

    @Test("says what it was based on, or takes whatever is there")
    func ifMatch() async throws {
        let server = try await TestServer()
        let file = try await server.file("a.txt", "old")
        let path = TestServer.path(file) + "/content"
        let etag = "\"\(file["contentVersion"].text)\""

        #expect(try await server.put(path, text: "1", headers: ["If-Match": etag]).status == 200)
        #expect(try await server.put(path, text: "2", headers: ["If-Match": "*"]).status == 200)
        for (value, code) in [
            ("\"not-ours\"", "precondition_failed"),
            ("\"a\", \"b\"", "bad_parameter"),
            ("W/\"a\"", "precondition_failed"), ("unquoted", "bad_parameter"),
        ] {
            let answer = try await server.put(path, text: "3", headers: ["If-Match": value])
            #expect(answer.code == code, "\(value)")
        }
        #expect(try await server.get(path).text == "2")
    }

    @Test(
        "of other bytes than those announced is refused and leaves nothing",
        arguments: ContentSize.allCases)
    func hashes(size: ContentSize) async throws {
        let server = try await TestServer()
        let file = try await server.file("a.bin", "old")
        let path = TestServer.path(file) + "/content"
        let right = ContentHash(of: size.bytes)
        let wrong = ContentHash(of: [1, 2, 3])
        func digest(_ hash: ContentHash) -> String {
            "sha-512=:AAAA:, sha-256=:\(Base64.encode(hash.bytes, .standard)):"
        }

        for headers in [["X-Content-SHA256": wrong.hex], ["Repr-Digest": digest(wrong)]]
            as [KeyValuePairs<String, String>]
        {
            let answer = try await server.put(path, bytes: size.bytes, headers: headers)
            #expect(answer.status == 422)
            #expect(answer.code == "hash_mismatch")
        }
        #expect(try await server.blobs.list(after: nil, limit: 9) == [])
        #expect(try await server.get(path).text == "old")
        let fine = try await server.put(
            path, bytes: size.bytes, headers: ["Repr-Digest": digest(right)])
        #expect(fine.status == 200)
    }

    @Test(
        "with a hash that is none is refused",
        arguments: [
            ("X-Content-SHA256", "abc"), ("Repr-Digest", "sha-256=:abc:"),
            ("Repr-Digest", "sha-512=:abc:\u{600}, sha-256=:abc:"), ("Repr-Digest", "sha-256=abc"),
            ("Repr-Digest", "sha-256=:"),
        ])
    func badHash(header: String, value: String) async throws {
        let server = try await TestServer()
        let file = try await server.file("a.bin", "old")

        let answer = try await server.put(
            TestServer.path(file) + "/content", text: "new", headers: [header: value])

        #expect(answer.status == 400)
        #expect(answer["field"].text == header)
    }

    // MARK: Room

    @Test("larger than any file may be is refused", arguments: [true, false])
    func largestFile(isAnnounced: Bool) async throws {
        let server = try await TestServer { $0.largestFile = 100_000 }
        let file = try await server.file("a.bin", "old")
        var request = try TestRequest(.put, TestServer.path(file) + "/content")
        request.body = patterned(100_001)
        request.announcesLength = isAnnounced

        let answer = try await server.send(request)

        #expect(answer.status == 413)
        #expect(answer.code == "file_too_large")
        #expect(answer["limit"] == 100_000)
        #expect(try await server.blobs.list(after: nil, limit: 9) == [])
    }

    @Test("beyond the quota is refused, with what is needed and what there is")
    func quota() async throws {
        let server = try await TestServer()
        try await server.patch("/v1/domains/Work", ["quota": 1000])
        let file = try await server.file("a.bin", bytes: patterned(400))

        let answer = try await server.put("/v1/domains/Work/files/b.bin", bytes: patterned(700))

        #expect(answer.status == 507)
        #expect(answer.code == "insufficient_quota")
        #expect(answer["needed"] == 700)
        #expect(answer["available"] == 600)
        // Chunked, nobody knows it before the body is here; one's own history makes room.
        try await server.put(TestServer.path(file) + "/content", bytes: patterned(300, seed: 2))
        #expect(
            try await server.put("/v1/domains/Work/files/b.bin", bytes: patterned(700)).status
                == 201)
        #expect(try await server.get("/v1/domains/Work")["history"] == 0)
    }

    @Test("beyond the owner's quota is refused, whoever writes")
    func ownersQuota() async throws {
        let server = try await TestServer()
        let ada = try await server.join("ada")
        try await server.invite("ada", "writer")
        try await server.patch("/v1/accounts/admin", ["quota": 1000])

        let answer = try await server.put(
            "/v1/domains/Work/files/b.bin", bytes: patterned(1001), as: ada)

        #expect(answer.status == 507)
        #expect(answer.code == "insufficient_quota")
    }

    @Test("beyond the disk is refused, and what is there can be read")
    func diskFull() async throws {
        let server = try await TestServer(capacity: 1_000_000)
        try await server.file("a.bin", bytes: patterned(700_000))

        for isAnnounced in [true, false] {
            var request = try TestRequest(.put, "/v1/domains/Work/files/b.bin")
            request.body = patterned(700_000, seed: 2)
            request.announcesLength = isAnnounced
            let answer = try await server.send(request)
            #expect(answer.status == 507)
            #expect(answer.code == "disk_full")
        }

        #expect(try await server.names() == ["a.bin"])
        #expect(try await server.get("/v1/domains/Work/files/a.bin").body.count == 700_000)
    }

    @Test("of any size is refused without room, and what is there can be moved and deleted")
    func smallOnFullDisk() async throws {
        let server = try await TestServer(capacity: 1000)
        let full = try await server.post(
            "/v1/domains/Work/items", ["name": "a", "kind": "folder"])
        let path = try await server.put("/v1/domains/Work/files/a/", text: "")

        #expect(full.status == 507 && full.code == "disk_full")
        #expect(path.status == 507 && path.code == "disk_full")
    }

    @Test("is possible of files only, and by writers only")
    func refused() async throws {
        let server = try await TestServer()
        let ada = try await server.join("ada")
        try await server.invite("ada", "reader")
        let file = try await server.file("a.txt")

        let folder = try await server.put(TestServer.path("root") + "/content", text: "x")
        let reader = try await server.put(
            TestServer.path(file) + "/content", text: "x", as: ada)
        let word = try await server.put(
            TestServer.path(file) + "/content?onConflict=ignore", text: "x")

        #expect(folder.code == "not_a_file")
        #expect(reader.code == "forbidden")
        #expect(word.code == "bad_parameter")
    }
}
