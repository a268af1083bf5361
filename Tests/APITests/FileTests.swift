import BasketHTTP
import Testing

@Suite("A file by its path")
struct FileTests {
    private let files = "/v1/domains/Work/files/"

    @Test("is made, replaced, fetched and deleted")
    func roundTrip() async throws {
        let server = try await TestServer()

        let made = try await server.put(files + "a.txt", text: "one")
        let replaced = try await server.put(
            files + "a.txt", text: "two!", headers: ["X-Modified": "2020-01-01T00:00:00Z"])
        let fetched = try await server.get(files + "a.txt", headers: ["Range": "bytes=1-"])

        #expect(made.status == 201)
        #expect(replaced.status == 200)
        #expect(replaced.item["id"] == made.item["id"])
        #expect(replaced.item["modified"] == "2020-01-01T00:00:00Z")
        #expect(fetched.status == 206)
        #expect(fetched.text == "wo!")
        #expect(try await server.head(files + "a.txt").status == 200)
        #expect(try await server.delete(files + "a.txt").status == 204)
        #expect(try await server.delete(files + "a.txt").code == "no_such_item")
        #expect(try await server.get(files + "a.txt").code == "no_such_item")
    }

    @Test("is not made of the list of its chunks")
    func manifest() async throws {
        let server = try await TestServer()

        let answer = try await server.put(
            files + "a", text: "{}",
            headers: ["Content-Type": "application/vnd.basket.manifest+json"])

        #expect(answer.status == 400)
        #expect(answer.code == "bad_parameter")
        #expect(try await server.names() == [])
    }

    @Test("has any name that a domain takes")
    func names() async throws {
        let server = try await TestServer()

        let answer = try await server.put(
            files + "50%25%20off%3F/%F0%9F%8D%8E%20%26%20%23.txt?parents=1", text: "x")

        #expect(answer.item["name"] == "🍎 & #.txt")
        #expect(try await server.names() == ["50% off?"])
        #expect(try await server.get(files + "50%25%20off%3F/🍎%20&%20%23.txt").text == "x")
        #expect(try await server.put(files + "a%2Fb.txt", text: "x").code == "bad_name")
        #expect(try await server.put(files + "d/../a.txt?parents=1", text: "x").code == "bad_name")
    }

    @Test("lists the folder that is there, page by page")
    func folders() async throws {
        let server = try await TestServer()
        for name in ["d/a", "d/b", "d/c"] { try await server.file(name) }

        let root = try await server.get(files)
        let page = try await server.get(files + "d?limit=2&descending=true")
        let rest = try await server.get(
            files + "d/?limit=2&descending=true&cursor=\(page["next"].text)")

        #expect(root["items"].elements.map { $0["name"] } == ["d"])
        #expect(page["items"].elements.map { $0["name"] } == ["c", "b"])
        #expect(rest["items"].elements.map { $0["name"] } == ["a"])
        #expect(try await server.get(files + "d/a/").code == "not_a_folder")
        #expect(try await server.get(files + "d/a/b").code == "no_such_item")
    }

    @Test("makes folders with a slash at the end, once")
    func makeFolder() async throws {
        let server = try await TestServer()

        let made = try await server.put(files + "d/", bytes: [])
        let again = try await server.put(files + "d/", bytes: [])
        let deep = try await server.put(files + "x/y/z/?parents=true", bytes: [])
        let orphan = try await server.put(files + "u/v/", bytes: [])
        try await server.file("a.txt")

        #expect(made.status == 201)
        #expect(again.status == 200)
        #expect(again.item == made.item)
        #expect(deep.status == 201)
        #expect(orphan.code == "no_such_item")
        #expect(try await server.put(files + "a.txt/", bytes: []).code == "name_taken")
        #expect(try await server.put(files + "a.txt/d/", bytes: []).code == "not_a_folder")
        #expect(try await server.put(files, bytes: []).code == "permanent_item")
    }

    @Test("is not made where something else is in the way")
    func inTheWay() async throws {
        let server = try await TestServer()
        try await server.folder("d")
        let file = try await server.file("a.txt", "old")

        let folder = try await server.put(files + "d", text: "x")
        let below = try await server.put(files + "a.txt/b.txt", text: "x")
        let orphan = try await server.put(files + "none/b.txt", text: "x")
        let taken = try await server.put(
            files + "a.txt", text: "x", headers: ["If-None-Match": "*"])
        let made = try await server.put(
            files + "b.txt", text: "x", headers: ["If-None-Match": "*"])

        #expect(folder.code == "not_a_file")
        #expect(below.code == "not_a_folder")
        #expect(orphan.code == "no_such_item")
        #expect(!orphan["hint"].isNull)
        #expect(taken.code == "name_taken")
        #expect(taken.item == file)
        #expect(made.status == 201)
        #expect(try await server.names() == ["a.txt", "b.txt", "d"])
    }

    @Test("is replaced only over the version that was seen, or kept beside it")
    func conditions() async throws {
        let server = try await TestServer()
        let phone = try await server.join("admin", device: "phone")
        let old = try await server.file("a.txt", "old")
        try await server.file("a.txt", "new")
        let etag = "\"\(old["contentVersion"].text)\""

        let stale = try await server.put(
            files + "a.txt", text: "x", as: phone, headers: ["If-Match": etag])
        let same = try await server.put(
            files + "a.txt", text: "new", as: phone, headers: ["If-Match": etag])
        let kept = try await server.put(
            files + "a.txt?onConflict=keep", text: "x", as: phone, headers: ["If-Match": etag])
        let gone = try await server.put(
            files + "b.txt", text: "x", headers: ["If-Match": etag])

        #expect(stale.code == "stale_content")
        #expect(same.status == 200)
        #expect(kept.status == 200)
        #expect(!kept["conflict"].isNull)
        #expect(kept.item["conflicts"] == 1)
        #expect(gone.status == 412)
        #expect(gone.code == "precondition_failed")
    }

    @Test("is deleted, or put into the trash, as one says")
    func delete() async throws {
        let server = try await TestServer()
        let old = try await server.file("a.txt", "old")
        try await server.file("a.txt", "new")
        try await server.file("d/b.txt")
        let base = "base=\(old["contentVersion"].text)"

        #expect(try await server.delete(files + "a.txt?\(base)").code == "deletion_rejected")
        #expect(try await server.delete(files + "a.txt?trash=1&\(base)").code == "stale_content")
        #expect(try await server.delete(files + "a.txt?trash=1").status == 204)
        #expect(try await server.names(in: "trash") == ["a.txt"])
        #expect(try await server.delete(files + "d").code == "folder_not_empty")
        #expect(try await server.delete(files + "d?recursive=true").status == 204)
        let root = try await server.delete(files + "?recursive=true")
        #expect(root.code == "permanent_item")
        #expect(root["title"] == "The root cannot be changed like this.")
        #expect(try await server.names() == [])
    }

    @Test("of a domain that is not one's own is as unknown as the domain")
    func others() async throws {
        let server = try await TestServer()
        let ada = try await server.join("ada")
        try await server.file("a.txt")

        #expect(try await server.get(files + "a.txt", as: ada).code == "no_such_domain")
        #expect(try await server.put(files + "a.txt", text: "x", as: ada).code == "no_such_domain")
        #expect(try await server.get(files + "a.txt", as: .nobody).code == "not_signed_in")
    }

    @Test("at a path with a slash at its end has no bytes: none are thrown away")
    func folderWithBytes() async throws {
        let server = try await TestServer()
        for announces in [true, false] {
            var request = try TestRequest(.put, "/v1/domains/Work/files/dump.sql/")
            request.body = patterned(1000)
            request.announcesLength = announces
            let answer = try await server.send(request)
            #expect(answer.status == 400)
            #expect(answer.code == "bad_parameter")
        }
        #expect(try await server.get("/v1/domains/Work/files/dump.sql").status == 404)
        #expect(try await server.put("/v1/domains/Work/files/dump.sql/", text: "").status == 201)
    }

    @Test("that is a symlink is none that could be fetched")
    func symlink() async throws {
        let server = try await TestServer()
        try await server.post(
            TestServer.items, ["name": "latest", "kind": "symlink", "target": "2026"])
        #expect(try await server.get("/v1/domains/Work/files/latest").code == "not_a_file")
    }
}
