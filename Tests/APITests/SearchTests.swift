import Testing

@Suite("Searching")
struct SearchTests {
    private func search(
        _ server: TestServer, _ query: String
    ) async throws -> [String] {
        let answer = try await server.get("/v1/domains/Work/search?q=\(query)")
        try #require(answer.status == 200, "\(answer.text)")
        return answer["items"].elements.map { $0["name"].text }.sorted()
    }

    @Test("finds items by the beginnings of words in names and tags, whatever case and accents")
    func words() async throws {
        let server = try await TestServer()
        try await server.file("Caf%C3%A9%20au%20lait.txt")
        let file = try await server.file("sunset-2026.jpg")
        try await server.patch(TestServer.path(file), ["tags": ["Beach", "São Miguel"]])
        try await server.folder("Photos")

        #expect(try await search(server, "cafe") == ["Café au lait.txt"])
        #expect(try await search(server, "LAIT+caf") == ["Café au lait.txt"])
        #expect(try await search(server, "bea") == ["sunset-2026.jpg"])
        #expect(try await search(server, "sunset+sao") == ["sunset-2026.jpg"])
        #expect(try await search(server, "phot") == ["Photos"])
        #expect(try await search(server, "beach+cafe") == [])
        #expect(try await search(server, "each") == [])
    }

    @Test("sees what was there when it was asked, and nothing that is gone")
    func current() async throws {
        let server = try await TestServer()
        let file = try await server.file("alpha.txt")
        #expect(try await search(server, "alpha") == ["alpha.txt"])

        try await server.patch(TestServer.path(file), ["name": "beta.txt"])
        #expect(try await search(server, "alpha") == [])
        #expect(try await search(server, "beta") == ["beta.txt"])
        try await server.delete(TestServer.path(file))
        #expect(try await search(server, "beta") == [])
    }

    @Test("comes in pages")
    func pages() async throws {
        let server = try await TestServer()
        for number in 0..<5 { try await server.file("common%20\(number)") }
        var found: [String] = []

        for offset in [0, 2, 4] {
            let page = try await server.get(
                "/v1/domains/Work/search?q=common&limit=2&offset=\(offset)")
            found += page["items"].elements.map { $0["name"].text }
            #expect(page["more"] == .bool(offset < 4))
        }

        #expect(found.sorted() == (0..<5).map { "common \($0)" })
    }

    @Test(
        "takes whatever people type for words",
        arguments: ["a%22b", "NEAR(", "*+a", "x:y+a", "a%00b", "-a"])
    func hostile(query: String) async throws {
        let server = try await TestServer()
        try await server.file("a.txt")

        #expect(try await server.get("/v1/domains/Work/search?q=\(query)").status == 200)
    }

    @Test("stays in its domain")
    func scope() async throws {
        let server = try await TestServer()
        let domain = try await server.post("/v1/domains", ["name": "Other"])
        try await server.put("/v1/domains/Other/files/secret.txt", text: "x")

        #expect(try await search(server, "secret") == [])
        #expect(try await search(server, "d\(domain["id"].text)") == [])
    }

    @Test(
        "is refused without a word",
        arguments: [
            "", "q=", "q=+%20", "q=%22*%22", "q=a&limit=0", "q=a&limit=201", "q=a&offset=-1",
        ])
    func badParameters(query: String) async throws {
        let answer = try await TestServer().get("/v1/domains/Work/search?" + query)

        #expect(answer.status == 400)
        #expect(answer.code == "bad_parameter")
    }
}
