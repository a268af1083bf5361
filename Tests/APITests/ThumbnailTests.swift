import BasketHTTP
import Testing

@Suite("A thumbnail")
struct ThumbnailTests {
    private let picture = Array("not really a picture".utf8)

    @Test("is kept for the content that it shows")
    func roundTrip() async throws {
        let server = try await TestServer()
        let file = try await server.file("a.jpg", "content")
        let path = TestServer.path(file) + "/thumbnail"

        let kept = try await server.put(
            path + "?base=\(file["contentVersion"].text)", bytes: picture,
            headers: ["Content-Type": "image/webp"])
        let answer = try await server.get(path)

        #expect(kept.item["thumbnail"] == file["contentVersion"])
        #expect(kept.item["contentVersion"] == file["contentVersion"])
        #expect(answer.status == 200)
        #expect(answer.body == picture)
        #expect(answer.headers["Content-Type"] == "image/webp")
        #expect(answer.headers["X-Content-Type-Options"] == "nosniff")
    }

    @Test("is gone with the content")
    func newContent() async throws {
        let server = try await TestServer()
        let file = try await server.file("a.jpg", "content")
        let path = TestServer.path(file) + "/thumbnail"
        try await server.put(path, bytes: picture, headers: ["Content-Type": "image/png"])

        let item = try await server.file("a.jpg", "other")

        #expect(item["thumbnail"].isNull)
        #expect(try await server.get(path).code == "no_thumbnail")
        #expect(try await server.get("/v1/domains/Work")["used"] == 5)
    }

    @Test("is fetched again only when it is another one")
    func conditions() async throws {
        let server = try await TestServer()
        let path = TestServer.path(try await server.file("a.jpg")) + "/thumbnail"
        try await server.put(path, bytes: picture, headers: ["Content-Type": "image/png"])
        let etag = try #require(try await server.get(path).headers["ETag"])

        let same = try await server.get(path, headers: ["If-None-Match": etag])
        try await server.put(path, text: "another", headers: ["Content-Type": "image/png"])
        let other = try await server.get(path, headers: ["If-None-Match": etag])

        #expect(same.status == 304)
        #expect(same.body == [])
        #expect(other.status == 200)
        #expect(other.text == "another")
    }

    @Test("is refused when it is none")
    func refused() async throws {
        let server = try await TestServer()
        let file = try await server.file("a.jpg", "old")
        let path = TestServer.path(file) + "/thumbnail"
        try await server.put(TestServer.path(file) + "/content", text: "new")
        func put(_ path: String, _ bytes: [UInt8], type: String = "image/png") async throws
            -> TestAnswer
        {
            try await server.put(path, bytes: bytes, headers: ["Content-Type": type])
        }

        #expect(try await put(path, picture, type: "image/svg+xml").code == "not_a_picture")
        #expect(try await put(path, []).code == "empty_picture")
        #expect(try await put(path, patterned(300_000)).code == "body_too_large")
        let stale = try await put(path + "?base=\(file["contentVersion"].text)", picture)
        #expect(stale.code == "stale_content")
        #expect(try await put(TestServer.path("root") + "/thumbnail", picture).code == "not_a_file")
        try await server.patch("/v1/domains/Work", ["quota": 3])
        #expect(try await put(path, picture).code == "insufficient_quota")
    }
}
