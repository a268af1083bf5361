import BasketHTTP
import Testing

@Suite("A creation with a key")
struct CreationKeyTests {
    @Test("is done once, alone and in batches, and tells of the item as it is now")
    func once() async throws {
        let server = try await TestServer()
        let first: JSON = ["name": "a", "kind": "file", "content": "aGk=", "key": "k"]
        let made = try await server.post(TestServer.items, first)
        try await server.patch(TestServer.path(made["item"]), ["name": "renamed"])

        let again = try await server.post(
            TestServer.items, ["name": "other", "kind": "file", "content": "aG8=", "key": "k"])
        let batch = try await server.post(
            "/v1/domains/Work/batch",
            [
                "operations": [
                    ["op": "create", "name": "a", "kind": "file", "key": "k"],
                    ["op": "create", "name": "b", "kind": "file", "key": "l"],
                    ["op": "create", "name": "c", "kind": "file", "key": "l"],
                ]
            ])

        #expect(made.status == 201)
        #expect(again.status == 200)
        #expect(again["item"]["id"] == made["item"]["id"])
        #expect(again["item"]["name"] == "renamed")
        #expect(batch["results"].elements.map { $0["status"] } == [200, 201, 200])
        #expect(try await server.names() == ["b", "renamed"])
    }

    @Test("is done anew when its item is gone")
    func gone() async throws {
        let server = try await TestServer()
        let body: JSON = ["name": "a", "kind": "folder", "key": "k"]
        let made = try await server.post(TestServer.items, body)
        try await server.delete(TestServer.path(made["item"]))

        for status in [201, 200] {
            let again = try await server.post(TestServer.items, body)

            #expect(again.status == status)
            #expect(again["item"]["id"] != made["item"]["id"])
        }
    }

    @Test("that failed is not remembered, and another domain or person has its own")
    func apart() async throws {
        let server = try await TestServer()
        let ada = try await server.join("ada")
        try await server.invite("ada", "writer")
        try await server.post(TestServer.items, ["name": "a", "kind": "folder"])
        let body: JSON = ["name": "a", "kind": "folder", "key": "k"]
        let other: JSON = ["name": "b", "kind": "folder", "key": "k"]
        let third: JSON = ["name": "c", "kind": "folder", "key": "k"]

        let refused = try await server.post(TestServer.items, body)
        let mine = try await server.post(TestServer.items, other)
        let hers = try await server.post(TestServer.items, third, as: ada)

        #expect(refused.code == "name_taken")
        #expect(mine.status == 201)
        #expect(hers.status == 201)
    }

    @Test("needs a key that is one", arguments: ["", String(repeating: "k", count: 256)])
    func badKeys(text: String) async throws {
        let body: JSON = ["name": "a", "kind": "folder", "key": .string(text)]
        let answer = try await TestServer().post(TestServer.items, body)

        #expect(answer.code == "bad_field")
        #expect(answer["field"] == "key")
    }
}
