import BasketHTTP
import BasketSupport
import Synchronization
import Testing

@Suite("A request that is sent twice")
struct IdempotencyTests {
    private let key: KeyValuePairs = ["Idempotency-Key": "7f9c"]

    @Test("does nothing the second time, and is answered as the first time")
    func replay() async throws {
        let server = try await TestServer()
        let body: JSON = ["name": "a", "kind": "folder", "ifExists": "rename"]

        let first = try await server.post(TestServer.items, body, headers: key)
        let anchor = try await server.anchor()
        let second = try await server.post(TestServer.items, body, headers: key)

        #expect(first.status == 201)
        #expect(second.status == first.status)
        #expect(second.body == first.body)
        #expect(try await server.names() == ["a"])
        #expect(try await server.anchor() == anchor)
    }

    @Test("is written into the log once")
    func audit() async throws {
        let lines = Mutex<[String]>([])
        let log = Log(level: .notice) { entry in lines.withLock { $0.append("\(entry.message)") } }
        let server = try await TestServer(log: log)

        for _ in 1...2 {
            let answer = try await server.delete("/v1/domains/Work", headers: key)
            #expect(answer.status == 204)
        }

        #expect(lines.withLock { $0.filter { $0 == "domain deleted" }.count } == 1)
    }

    @Test("with the same key for another thing is refused")
    func reused() async throws {
        let server = try await TestServer()
        let body: JSON = ["name": "a", "kind": "folder"]
        try await server.post(TestServer.items, body, headers: key)
        let file = try await server.file("f.txt")

        let answers = [
            try await server.post(
                TestServer.items, ["name": "b", "kind": "folder"], headers: key),
            try await server.patch(TestServer.path(file), ["name": "b"], headers: key),
            try await server.delete(TestServer.path(file), headers: key),
            try await server.put(TestServer.path(file) + "/content", text: "b", headers: key),
            try await server.put("/v1/domains/Work/files/f.txt", text: "b", headers: key),
            try await server.put("/v1/domains/Work/files/b/", bytes: [], headers: key),
        ]

        for answer in answers {
            #expect(answer.status == 422)
            #expect(answer.code == "idempotency_key_reused")
        }
        #expect(try await server.names() == ["a", "f.txt"])
        #expect(try await server.get("/v1/domains/Work/files/f.txt").text == "hello")
    }

    @Test("does nothing twice that the first time made impossible", arguments: [true, false])
    func impossible(isByDevice: Bool) async throws {
        let server = try await TestServer()
        let who: Caller = isByDevice ? .admin : .password(TestServer.password, name: "admin")
        let file = try await server.file("a.txt", "old")
        let etag = "\"\(file["contentVersion"].text)\""
        func twice(
            _ send: (KeyValuePairs<String, String>) async throws -> TestAnswer
        ) async throws {
            let headers: KeyValuePairs = [
                "Idempotency-Key": "\(server.clock.now)", "If-Match": etag,
            ]
            let first = try await send(headers)
            #expect(first.status < 300, "\(first.text)")
            let second = try await send(headers)
            #expect(second.status == first.status)
            #expect(second.body == first.body)
        }

        try await twice { headers in
            try await server.put(
                TestServer.path(file) + "/content", text: "longer", as: who, headers: headers)
        }
        try await server.file("a.txt", "other")
        try await twice { headers in
            try await server.put(
                "/v1/domains/Work/files/new.txt", text: "new", as: who,
                headers: ["Idempotency-Key": headers[0].value, "If-None-Match": "*"])
        }
        try await twice { headers in
            try await server.delete(
                "/v1/domains/Work/files/new.txt", as: who,
                headers: ["Idempotency-Key": headers[0].value])
        }
    }

    @Test("changes a password once, although the current one is another then")
    func password() async throws {
        let server = try await TestServer()
        let ada = try await server.join("ada")
        let body: JSON = [
            "password": "difference engine", "currentPassword": .string(TestServer.password),
        ]

        let first = try await server.patch("/v1/accounts/ada", body, as: ada, headers: key)
        let second = try await server.patch("/v1/accounts/ada", body, as: ada, headers: key)

        #expect(first.status == 200)
        #expect(second.body == first.body)
    }

    @Test("revokes a device once, and says so twice")
    func revoke() async throws {
        let server = try await TestServer()
        let phone = try await server.join("admin", device: "phone")
        let device = try await server.get("/v1/devices", as: phone)["devices"][0]["id"].text

        for _ in 0..<2 {
            #expect(try await server.delete("/v1/devices/\(device)", headers: key).status == 204)
        }
    }

    @Test("is done when it failed the first time")
    func failures() async throws {
        let server = try await TestServer()
        let body: JSON = ["name": "Later", "kind": "folder", "parent": "root"]
        try await server.folder("Later")
        let taken = try await server.post(TestServer.items, body, headers: key)
        try await server.delete("/v1/domains/Work/files/Later")

        let done = try await server.post(TestServer.items, body, headers: key)

        #expect(taken.code == "name_taken")
        #expect(done.status == 201)
    }

    @Test("by two people is two requests")
    func people() async throws {
        let server = try await TestServer()
        let ada = try await server.join("ada")
        try await server.invite("ada", "writer")
        let body: JSON = ["name": "a", "kind": "folder", "ifExists": "rename"]

        for caller in [.admin, ada] {
            try await server.post(TestServer.items, body, as: caller, headers: key)
        }

        #expect(try await server.names() == ["a", "a 2"])
    }

    @Test("needs a key that is one", arguments: ["", String(repeating: "k", count: 256)])
    func badKeys(text: String) async throws {
        let answer = try await TestServer().post(
            TestServer.items, ["name": "a", "kind": "folder"], headers: ["Idempotency-Key": text])

        #expect(answer.status == 400)
        #expect(answer["field"] == "Idempotency-Key")
    }
}
