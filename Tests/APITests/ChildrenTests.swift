import Testing

@Suite("A folder's pages")
struct ChildrenTests {
    /// Seven items whose orders by name, size, kind and dates all differ.
    private func filled() async throws -> TestServer {
        let server = try await TestServer()
        let sizes = ["d": 5, "a": 3, "g": 3, "b": 9, "f": 1]
        for (name, size) in sizes.sorted(by: { $0.value > $1.value }) {
            let file = try await server.file(name, bytes: [UInt8](repeating: 1, count: size))
            try await server.patch(
                TestServer.path(file),
                [
                    "modified": .string("200\(size)-01-01T00:00:00Z"),
                    "created": .string("201\(9 - size)-01-01T00:00:00Z"),
                ])
        }
        try await server.folder("c")
        try await server.post(
            TestServer.items, ["name": "e", "kind": "symlink", "target": "a"])
        return server
    }

    private func pages(
        _ server: TestServer, _ query: String, limit: Int
    ) async throws -> [[JSON]] {
        var pages: [[JSON]] = []
        var cursor: String?
        repeat {
            var target = TestServer.path("root") + "/children?limit=\(limit)&\(query)"
            if let cursor { target += "&cursor=\(cursor)" }
            let page = try await server.get(target)
            try #require(page.status == 200, "\(page.text)")
            pages.append(page["items"].elements)
            cursor = page["next"].isNull ? nil : page["next"].text
        } while cursor != nil && pages.count < 20
        return pages
    }

    @Test(
        "come in each order, both ways, without a gap and without a repetition",
        arguments: ["name", "modified", "created", "size", "kind"], [false, true])
    func orders(sort: String, isDescending: Bool) async throws {
        let server = try await filled()
        let query = "sort=\(sort)&descending=\(isDescending)"

        let whole = try await pages(server, query, limit: 1000)
        let parts = try await pages(server, query, limit: 2)

        #expect(whole.count == 1)
        #expect(parts.map(\.count) == [2, 2, 2, 1])
        #expect(parts.flatMap { $0 } == whole[0])
        var values = whole[0].map { item -> String in
            switch sort {
            case "size": "\(item["size"].int ?? 0)"
            case "kind": "\(["file", "folder", "symlink"].firstIndex(of: item["kind"].text) ?? 9)"
            default: item[sort].text
            }
        }
        if isDescending { values.reverse() }
        #expect(values == values.sorted())
    }

    @Test("are sorted by name when nothing is said")
    func standard() async throws {
        let server = try await filled()

        #expect(try await server.names() == ["a", "b", "c", "d", "e", "f", "g"])
    }

    @Test("end exactly where the folder does")
    func exactly() async throws {
        let server = try await filled()

        #expect(try await pages(server, "", limit: 7).map(\.count) == [7])
        #expect(try await pages(server, "", limit: 6).map(\.count) == [6, 1])
        let folder = try await server.folder("empty")
        let empty = try await server.get(TestServer.path(folder) + "/children")
        #expect(empty.json == ["items": []])
    }

    @Test("go on although items come and go")
    func changes() async throws {
        let server = try await filled()
        let first = try await server.get(TestServer.path("root") + "/children?limit=3")
        try await server.delete("/v1/domains/Work/files/c")
        try await server.file("aa")
        try await server.file("da")

        let rest = try await server.get(
            TestServer.path("root") + "/children?cursor=\(first["next"].text)")

        #expect(rest["items"].elements.map { $0["name"] } == ["d", "da", "e", "f", "g"])
    }

    @Test(
        "are refused with parameters that make no sense",
        arguments: [
            ("limit=0", 400, "bad_parameter"), ("limit=1001", 400, "bad_parameter"),
            ("limit=ten", 400, "bad_parameter"), ("sort=colour", 400, "bad_parameter"),
            ("descending=down", 400, "bad_parameter"), ("cursor=nonsense", 410, "cursor_expired"),
            ("cursor=", 410, "cursor_expired"),
        ])
    func badParameters(query: String, status: Int, code: String) async throws {
        let answer = try await TestServer().get(TestServer.path("root") + "/children?" + query)

        #expect(answer.status == status)
        #expect(answer.code == code)
        #expect(answer["field"].text == String(query.prefix { $0 != "=" }))
    }

    @Test("do not go on in another order")
    func otherOrder() async throws {
        let server = try await filled()
        let first = try await server.get(TestServer.path("root") + "/children?limit=3&sort=size")

        for order in ["", "sort=modified&", "sort=size&descending=true&"] {
            let answer = try await server.get(
                TestServer.path("root") + "/children?\(order)cursor=\(first["next"].text)")
            #expect(answer.code == "cursor_expired")
        }
    }

    @Test("are none of a file")
    func notAFolder() async throws {
        let server = try await TestServer()
        let file = try await server.file("a.txt")

        let answer = try await server.get(TestServer.path(file) + "/children")

        #expect(answer.status == 409)
        #expect(answer.code == "not_a_folder")
    }
}
