import Testing

@Suite("A domain")
struct DomainTests {
    @Test("is made, and found by its name and its identifier")
    func create() async throws {
        let server = try await TestServer()

        let made = try await server.post(
            "/v1/domains",
            ["name": "Fotos & mehr", "caseRule": "portable", "trash": false, "quota": 1000])

        #expect(made.status == 201)
        #expect(made["role"] == "owner")
        #expect(made["caseRule"] == "portable")
        #expect(made["trash"] == false)
        #expect(made["quota"] == 1000)
        #expect(made["items"] == 0)
        let byName = try await server.get("/v1/domains/fotos%20%26%20MEHR")
        let byID = try await server.get("/v1/domains/\(made["id"].text)")
        #expect(byName.json == made.json)
        #expect(byID.json == made.json)
        let all = try await server.get("/v1/domains")["domains"].elements
        #expect(all.map { $0["name"] } == ["Fotos & mehr", "Work"])
    }

    @Test(
        "is refused with what it cannot have",
        arguments: [
            ([:], 422, "bad_field", "name"),
            (["name": ""], 422, "bad_name", "name"),
            (["name": "a/b"], 422, "bad_name", "name"),
            (["name": "CON"], 422, "bad_name", "name"),
            (["name": "work"], 409, "domain_exists", "name"),
            (["name": "New", "caseRule": "shouting"], 422, "bad_field", "caseRule"),
            (["name": "New", "trash": "yes"], 422, "bad_field", "trash"),
            (["name": "New", "quota": -5], 422, "bad_field", "quota"),
            (["name": "New", "quota": 1.5], 422, "bad_field", "quota"),
        ] as [(JSON, Int, String, String)])
    func badFields(body: JSON, status: Int, code: String, field: String) async throws {
        let answer = try await TestServer().post("/v1/domains", body)

        #expect(answer.status == status)
        #expect(answer.code == code)
        #expect(answer["field"].text == field)
    }

    @Test("is renamed and given other limits")
    func change() async throws {
        let server = try await TestServer()

        let changed = try await server.patch("/v1/domains/Work", ["name": "Office", "quota": 99])
        let freed = try await server.patch("/v1/domains/Office", ["quota": nil])

        #expect(changed["name"] == "Office")
        #expect(changed["quota"] == 99)
        #expect(freed["quota"].isNull)
        #expect(try await server.get("/v1/domains/Work").code == "no_such_domain")
    }

    @Test("is gone with everything in it")
    func delete() async throws {
        let server = try await TestServer()
        try await server.file("a/b.txt")

        #expect(try await server.delete("/v1/domains/Work").status == 204)

        #expect(try await server.get("/v1/domains/Work").status == 404)
        #expect(try await server.get("/v1/domains/Work/items/root").code == "no_such_domain")
        #expect(try await server.post("/v1/domains", ["name": "Work"]).status == 201)
        #expect(try await server.names() == [])
    }

    @Test("counts what it holds, history apart")
    func usage() async throws {
        let server = try await TestServer()
        try await server.file("a.txt", "12345")
        try await server.file("a.txt", "123")

        let domain = try await server.get("/v1/domains/Work")

        #expect(domain["items"] == 1)
        #expect(domain["used"] == 3)
        #expect(domain["history"] == 5)
    }

    @Test("says what may still be written: as much as the quotas leave, and the disk")
    func room() async throws {
        let server = try await TestServer()
        try await server.file("a.txt", "12345")
        #expect(try await server.get("/v1/domains/Work")["available"] != .null)

        try await server.patch("/v1/domains/Work", ["quota": 100])
        #expect(try await server.get("/v1/domains/Work")["available"] == 95)
        #expect(try await server.get("/v1/domains")["domains"][0]["available"] == 95)

        let lower = try await server.patch("/v1/domains/Work", ["quota": 3])
        #expect(lower["available"] == 0)
    }

    @Test("has nobody's items but its own")
    func otherDomains() async throws {
        let server = try await TestServer()
        try await server.post("/v1/domains", ["name": "Other"])
        let id = try await server.file("a.txt")["id"].text

        for path in ["", "/children", "/content", "/manifest", "/versions", "/thumbnail", "/lock"] {
            let answer = try await server.get("/v1/domains/Other/items/\(id)\(path)")
            #expect(answer.status == 404)
            #expect(answer.code == "no_such_item", "\(path)")
        }
        let moved = try await server.patch("/v1/domains/Other/items/\(id)", ["name": "b.txt"])
        #expect(moved.code == "no_such_item")
    }
}

@Suite("A domain's members")
struct MemberTests {
    @Test("see it, and nobody else does")
    func membership() async throws {
        let server = try await TestServer()
        let ada = try await server.join("ada")
        let stranger = try await server.get("/v1/domains/Work", as: ada)
        let unknown = try await server.get("/v1/domains/Nothing", as: ada)
        #expect(stranger.status == 404)
        #expect(stranger.code == unknown.code)

        try await server.invite("ada", "reader")

        #expect(try await server.get("/v1/domains/Work", as: ada)["role"] == "reader")
        #expect(try await server.delete("/v1/domains/Work/members/ada").status == 204)
        #expect(try await server.get("/v1/domains/Work", as: ada).status == 404)
    }

    @Test("of each role may do what it says")
    func roles() async throws {
        let server = try await TestServer()
        let ada = try await server.join("ada")
        let id = try await server.file("a.txt")["id"].text

        for (role, mayWrite) in [("reader", false), ("writer", true)] {
            try await server.invite("ada", role)
            let answers = [
                try await server.put("/v1/domains/Work/files/\(role)", text: "x", as: ada),
                try await server.put(
                    "/v1/domains/Work/items/\(id)/content", text: role, as: ada),
                try await server.patch("/v1/domains/Work/items/\(id)", ["mode": "0600"], as: ada),
                try await server.post(
                    "/v1/domains/Work/items", ["name": .string("d\(role)"), "kind": "folder"],
                    as: ada),
                try await server.post("/v1/domains/Work/chunks/missing", ["hashes": []], as: ada),
                try await server.post("/v1/domains/Work/items/\(id)/trash", as: ada),
                try await server.post("/v1/domains/Work/items/\(id)/restore", as: ada),
            ]
            for answer in answers {
                #expect((answer.status < 300) == mayWrite, "\(role): \(answer.text)")
                if !mayWrite { #expect(answer.code == "forbidden") }
            }
            // Only the owner's.
            for answer in [
                try await server.delete("/v1/domains/Work", as: ada),
                try await server.patch("/v1/domains/Work", ["quota": 7], as: ada),
                try await server.post("/v1/domains/Work/anchor/reset", as: ada),
                try await server.put(
                    "/v1/domains/Work/members/admin", ["role": "reader"], as: ada),
            ] {
                #expect(answer.status == 403)
            }
        }
        #expect(try await server.get("/v1/domains/Work/changes", as: ada).status == 200)
    }

    @Test("call it what they like, each for themselves")
    func ownNames() async throws {
        let server = try await TestServer()
        let ada = try await server.join("ada")
        try await server.post("/v1/domains", ["name": "Work"], as: ada)
        try await server.invite("ada", "reader")

        let named = try await server.patch("/v1/domains/Work%202", ["name": "Theirs"], as: ada)

        #expect(named["name"] == "Theirs")
        #expect(try await server.get("/v1/domains/Work")["role"] == "owner")
    }

    @Test("can leave, but its owner cannot")
    func leave() async throws {
        let server = try await TestServer()
        let ada = try await server.join("ada")
        try await server.invite("ada", "writer")

        let owner = try await server.delete("/v1/domains/Work/members/admin")
        let demoted = try await server.put(
            "/v1/domains/Work/members/admin", ["role": "reader"])
        let left = try await server.delete("/v1/domains/Work/members/ada", as: ada)
        let again = try await server.delete("/v1/domains/Work/members/ada")
        let unknown = try await server.delete("/v1/domains/Work/members/nobody")

        #expect(owner.code == "owner_stays")
        #expect(demoted.code == "owner_stays")
        #expect(left.status == 204)
        #expect(again.code == "no_such_member")
        #expect(unknown.code == "no_such_account")
    }

    @Test("take it over when they are made its owner")
    func handOver() async throws {
        let server = try await TestServer()
        let ada = try await server.join("ada")

        let offer = try await server.put("/v1/domains/Work/members/ada", ["role": "owner"])
        #expect(offer["role"] == "writer")
        #expect(offer["offered"] == true)
        #expect(try await server.get("/v1/domains/Work", as: ada)["role"] == "writer")
        let answer = try await server.put(
            "/v1/domains/Work/members/ada", ["role": "owner"], as: ada)

        #expect(answer["role"] == "owner")
        #expect(answer["offered"] == nil)
        #expect(try await server.get("/v1/domains/Work", as: ada)["role"] == "owner")
        #expect(try await server.delete("/v1/domains/Work").status == 403)
    }

    @Test("are not let in under a role or a name that there is not")
    func badFields() async throws {
        let server = try await TestServer()

        let role = try await server.put("/v1/domains/Work/members/admin", ["role": "guest"])
        let name = try await server.put("/v1/domains/Work/members/nobody", ["role": "reader"])

        #expect(role.status == 422)
        #expect(role["field"] == "role")
        #expect(name.code == "no_such_account")
    }

    @Test("come in pages, as domains and accounts do")
    func pages() async throws {
        let server = try await TestServer()
        for name in ["ada", "Bob", "cleo", "dan"] {
            try await server.join(name)
            try await server.put("/v1/domains/Work/members/\(name)", ["role": "reader"])
            try await server.post("/v1/domains", ["name": .string("of \(name)")])
        }
        let lists = [
            ("/v1/domains/Work/members", "members", "account"),
            ("/v1/accounts", "accounts", "name"), ("/v1/domains", "domains", "name"),
        ]
        for (path, list, name) in lists {
            let whole = try await server.get(path)
            #expect(whole[list].elements.count == 5)
            #expect(whole["next"] == nil)
            var names: [JSON] = []
            var query = "?limit=2"
            for _ in 0..<3 {
                let page = try await server.get(path + query)
                names += page[list].elements.map { $0[name] }
                query = "?limit=2&cursor=\(page["next"].text)"
            }
            #expect(names == whole[list].elements.map { $0[name] })
        }
    }
}
