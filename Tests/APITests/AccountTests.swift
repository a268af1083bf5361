import Testing

@Suite("An account")
struct AccountTests {
    private let body: JSON = ["name": "ada", "password": "analytical", "displayName": "Ada L."]

    @Test("is made by an administrator, and can log in")
    func create() async throws {
        let server = try await TestServer()

        let made = try await server.post("/v1/accounts", body)

        #expect(made.status == 201)
        #expect(made["role"] == "member")
        #expect(made["displayName"] == "Ada L.")
        #expect(made["used"] == 0)
        let ada = Caller.password("analytical", name: "ada")
        #expect(try await server.get("/v1/domains", as: ada)["domains"] == [])
        let all = try await server.get("/v1/accounts")["accounts"].elements
        #expect(all.map { $0["name"] } == ["ada", "admin"])
    }

    @Test(
        "is refused with what it cannot have",
        arguments: [
            (["name": "a b", "password": "analytical"], 422, "bad_field", "name"),
            (["name": "ada", "password": "short"], 422, "bad_field", "password"),
            (["name": "ada"], 422, "bad_field", "password"),
            (["name": "ada", "password": "analytical", "role": "king"], 422, "bad_field", "role"),
            (["name": "ada", "password": "analytical", "quota": -1], 422, "bad_field", "quota"),
            (["name": "ADMIN", "password": "analytical"], 409, "account_exists", "name"),
        ] as [(JSON, Int, String, String)])
    func badFields(body: JSON, status: Int, code: String, field: String) async throws {
        let answer = try await TestServer().post("/v1/accounts", body)

        #expect(answer.status == status)
        #expect(answer.code == code)
        #expect(answer["field"].text == field)
    }

    @Test("of a member may do nothing with others, and sees none of them")
    func member() async throws {
        let server = try await TestServer()
        let ada = try await server.join("ada")

        #expect(try await server.get("/v1/accounts", as: ada).code == "forbidden")
        #expect(try await server.post("/v1/accounts", body, as: ada).code == "forbidden")
        #expect(try await server.delete("/v1/accounts/admin", as: ada).code == "forbidden")
        let other = try await server.get("/v1/accounts/admin", as: ada)
        let none = try await server.get("/v1/accounts/nobody", as: ada)
        #expect(other.status == 404 && none.status == 404)
        #expect(other.code == none.code)
        #expect(try await server.patch("/v1/accounts/admin", [:], as: ada).status == 404)
        #expect(try await server.get("/v1/accounts/ADA", as: ada)["name"] == "ada")
    }

    @Test("changes its own name and password, the latter only with the one that it has")
    func ownPassword() async throws {
        let server = try await TestServer()
        let ada = try await server.join("ada")
        let change: JSON = ["password": "difference engine", "displayName": "Lovelace"]

        let without = try await server.patch("/v1/accounts/ada", change, as: ada)
        let wrong = try await server.patch(
            "/v1/accounts/ada", ["password": "difference engine", "currentPassword": "guess"],
            as: ada)
        let right = try await server.patch(
            "/v1/accounts/ada",
            [
                "password": "difference engine", "displayName": "Lovelace",
                "currentPassword": .string(TestServer.password),
            ], as: ada)

        #expect(without["field"] == "currentPassword")
        #expect(wrong.status == 401)
        #expect(right.status == 200)
        #expect(right["displayName"] == "Lovelace")
        let old = Caller.password(TestServer.password, name: "ada")
        #expect(try await server.get("/v1/domains", as: old).status == 401)
        let new = Caller.password("difference engine", name: "ada")
        #expect(try await server.get("/v1/domains", as: new).status == 200)
    }

    @Test("with a new password is logged in only where that was set")
    func passwordLogsOut() async throws {
        let server = try await TestServer()
        let laptop = try await server.join("ada", device: "laptop")
        let phone = try await server.join("ada", device: "phone")
        func status(_ caller: Caller) async throws -> Int {
            try await server.get("/v1/domains", as: caller).status
        }
        #expect(try await status(phone) == 200)

        try await server.patch(
            "/v1/accounts/ada", ["displayName": "Lovelace"], as: laptop)
        #expect(try await status(phone) == 200)
        try await server.patch(
            "/v1/accounts/ada",
            ["password": "difference engine", "currentPassword": .string(TestServer.password)],
            as: laptop)
        #expect(try await status(phone) == 401)
        #expect(try await status(laptop) == 200)

        try await server.patch("/v1/accounts/ada", ["password": "set by admin"])
        #expect(try await status(laptop) == 401)
        #expect(try await status(.admin) == 200)
    }

    @Test("that exists is named as its owner writes it")
    func existing() async throws {
        let server = try await TestServer()
        try await server.join("ada")

        let answer = try await server.post(
            "/v1/accounts", ["name": "ADA", "password": "analytical engine"])

        #expect(answer.code == "account_exists")
        #expect(answer["title"].text.contains("“ada”"))
    }

    @Test(
        "gives itself neither role nor room",
        arguments: [["role": "administrator"], ["quota": nil], ["disabled": false]] as [JSON])
    func ownRights(change: JSON) async throws {
        let server = try await TestServer()
        let ada = try await server.join("ada")

        let answer = try await server.patch("/v1/accounts/ada", change, as: ada)

        #expect(answer.status == 403)
    }

    @Test("that is disabled cannot ask for anything, until it is enabled again")
    func disabled() async throws {
        let server = try await TestServer()
        let ada = try await server.join("ada")
        #expect(try await server.get("/v1/domains", as: ada).status == 200)

        try await server.patch("/v1/accounts/ada", ["disabled": true])

        #expect(try await server.get("/v1/domains", as: ada).status == 401)
        let basic = Caller.password(TestServer.password, name: "ada")
        #expect(try await server.get("/v1/domains", as: basic).status == 401)
        try await server.patch("/v1/accounts/ada", ["disabled": false])
        #expect(try await server.get("/v1/domains", as: ada).status == 200)
    }

    @Test("has a quota that can be set and taken away")
    func quota() async throws {
        let server = try await TestServer()
        try await server.join("ada")

        #expect(try await server.patch("/v1/accounts/ada", ["quota": 5000])["quota"] == 5000)
        #expect(try await server.patch("/v1/accounts/ada", ["quota": nil])["quota"].isNull)
    }

    @Test("leaves others' domains when it is deleted, but not its own behind")
    func delete() async throws {
        let server = try await TestServer()
        let ada = try await server.join("ada")
        try await server.invite("ada", "writer")
        try await server.post("/v1/domains", ["name": "Hers"], as: ada)

        let refused = try await server.delete("/v1/accounts/ada")
        try await server.delete("/v1/domains/Hers", as: ada)
        let deleted = try await server.delete("/v1/accounts/ada")

        #expect(refused.status == 409)
        #expect(refused.code == "account_owns_domains")
        #expect(deleted.status == 204)
        #expect(try await server.get("/v1/domains", as: ada).status == 401)
        let members = try await server.get("/v1/domains/Work/members")["members"].elements
        #expect(members.map { $0["account"] } == ["admin"])
        #expect(try await server.delete("/v1/accounts/ada").code == "no_such_account")
    }

    @Test("of the last administrator stays one")
    func lastAdministrator() async throws {
        let server = try await TestServer()
        try await server.delete("/v1/domains/Work")

        for answer in [
            try await server.patch("/v1/accounts/admin", ["role": "member"]),
            try await server.patch("/v1/accounts/admin", ["disabled": true]),
            try await server.delete("/v1/accounts/admin"),
        ] {
            #expect(answer.status == 409)
            #expect(answer.code == "last_administrator")
        }
        #expect(try await server.get("/v1/accounts").status == 200)
    }
}
