import Testing

@Suite("A lock")
struct LockTests {
    @Test("says who has an item open, until it ends by itself")
    func expiry() async throws {
        let server = try await TestServer()
        let file = try await server.file("a.txt")
        let path = TestServer.path(file) + "/lock"
        let anchor = try await server.anchor()

        let taken = try await server.put(path, ["seconds": 120, "note": "LibreOffice"])

        #expect(taken.status == 200)
        #expect(taken["locks"].elements.count == 1)
        #expect(taken["locks"][0]["account"] == "admin")
        #expect(taken["locks"][0]["device"] == "desk")
        #expect(taken["locks"][0]["note"] == "LibreOffice")
        let item = try await server.item(file["id"].text)
        #expect(item["locks"] == taken["locks"])
        #expect(try await server.anchor() == anchor)
        server.clock.advance(.seconds(121))
        #expect(try await server.get(path)["locks"] == [])
    }

    @Test("is renewed, and given up, by its own device only")
    func devices() async throws {
        let server = try await TestServer()
        let phone = try await server.join("admin", device: "phone")
        let path = TestServer.path(try await server.file("a.txt")) + "/lock"
        try await server.put(path, ["seconds": 60])
        server.clock.advance(.seconds(40))
        try await server.put(path, ["seconds": 60])
        try await server.put(path, ["seconds": 60], as: phone)
        server.clock.advance(.seconds(40))

        #expect(try await server.get(path)["locks"].elements.count == 2)
        #expect(try await server.delete(path, as: phone).status == 204)
        let left = try await server.get(path)["locks"].elements
        #expect(left.map { $0["device"] } == ["desk"])
        #expect(try await server.delete(path, as: phone).status == 204)
    }

    @Test("is taken without a body too, and by readers")
    func reader() async throws {
        let server = try await TestServer()
        let ada = try await server.join("ada")
        try await server.invite("ada", "reader")
        let path = TestServer.path(try await server.file("a.txt")) + "/lock"

        let answer = try await server.put(path, bytes: [], as: ada)

        #expect(answer.status == 200)
        #expect(answer["locks"][0]["account"] == "ada")
    }

    @Test("of others is broken by the domain's owner only")
    func force() async throws {
        let server = try await TestServer()
        let ada = try await server.join("ada")
        try await server.invite("ada", "writer")
        let path = TestServer.path(try await server.file("a.txt")) + "/lock"
        try await server.put(path, [:], as: ada)
        try await server.put(path, [:])

        #expect(try await server.delete(path + "?force=true", as: ada).status == 403)
        #expect(try await server.delete(path + "?force=true").status == 204)
        #expect(try await server.get(path)["locks"] == [])
    }

    @Test("ends with its device")
    func revoked() async throws {
        let server = try await TestServer()
        let phone = try await server.join("admin", device: "phone")
        let path = TestServer.path(try await server.file("a.txt")) + "/lock"
        try await server.put(path, [:], as: phone)

        try await server.delete("/v1/sessions/current", as: phone)

        #expect(try await server.get(path)["locks"] == [])
    }

    @Test("belongs to a device")
    func noDevice() async throws {
        let server = try await TestServer()
        let path = TestServer.path(try await server.file("a.txt")) + "/lock"

        let answer = try await server.put(
            path, [:], as: .password(TestServer.password, name: "admin"))

        #expect(answer.status == 403)
        #expect(answer.code == "needs_device")
    }

    @Test(
        "is refused for longer than it may last",
        arguments: [["seconds": 0], ["seconds": 3601]] as [JSON])
    func seconds(body: JSON) async throws {
        let server = try await TestServer()
        let path = TestServer.path(try await server.file("a.txt")) + "/lock"

        let answer = try await server.put(path, body)

        #expect(answer.status == 422)
        #expect(answer["field"] == "seconds")
    }
}
