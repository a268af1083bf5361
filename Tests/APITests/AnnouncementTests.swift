import BasketHTTP
import Testing

@Suite("What is announced and cannot be taken")
struct AnnouncementTests {
    private let files = "/v1/domains/Work/files/"

    @Test("by the quota of the account is refused before it is sent")
    func accountQuota() async throws {
        let server = try await TestServer()
        try await server.post("/v1/domains", ["name": "Other"])
        try await server.put("/v1/domains/Other/files/a", bytes: patterned(800))
        try await server.patch("/v1/accounts/admin", ["quota": 1000])

        let answer = try await server.putUnread(files + "b", bytes: patterned(300))

        #expect(answer.status == 507)
        #expect(answer.code == "insufficient_quota")
        #expect(answer["available"] == 200)
        #expect(try await server.put(files + "b", bytes: patterned(200)).status == 201)
    }

    @Test("by a full domain is refused before it is sent, unless what it replaces makes room")
    func full() async throws {
        let server = try await TestServer()
        let file = try await server.file("a", bytes: patterned(900))
        try await server.patch("/v1/domains/Work", ["quota": 1000])

        let new = try await server.putUnread(files + "b", bytes: patterned(101))
        let larger = try await server.putUnread(
            TestServer.path(file) + "/content", bytes: patterned(1001))

        #expect(new.code == "insufficient_quota")
        #expect(larger.code == "insufficient_quota")
        #expect(try await server.put(files + "a", bytes: patterned(1000)).status == 200)
    }

    @Test("by its digest, which is none, is refused before it is sent")
    func digest() async throws {
        let server = try await TestServer()
        let content = TestServer.path(try await server.file("a")) + "/content"

        for target in [content, files + "b"] {
            let hash = try await server.putUnread(
                target, bytes: [1], headers: ["X-Content-SHA256": "nonsense"])
            let digest = try await server.putUnread(
                target, bytes: [1], headers: ["Repr-Digest": "sha-256=nonsense"])
            #expect(hash["field"] == "X-Content-SHA256")
            #expect(digest["field"] == "Repr-Digest")
        }
    }
}
