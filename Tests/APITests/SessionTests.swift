import BasketHTTP
import Testing

@Suite("Logging in", .timeLimit(.minutes(60)))
struct SessionTests {
    private func logIn(
        _ server: TestServer, _ password: String = TestServer.password, device: String = "laptop"
    ) async throws -> TestAnswer {
        try await server.post(
            "/v1/sessions",
            ["account": "admin", "password": .string(password), "device": .string(device)],
            as: .nobody)
    }

    @Test("gives a token that works until the device is revoked")
    func token() async throws {
        let server = try await TestServer()

        let session = try await logIn(server)
        let laptop = Caller.token(session["token"].text)

        #expect(session.status == 201)
        #expect(session["account"] == "admin")
        #expect(try await server.get("/v1/domains", as: laptop).status == 200)
        let device = session["device"].text
        #expect(try await server.delete("/v1/devices/\(device)").status == 204)
        let refused = try await server.get("/v1/domains", as: laptop)
        #expect(refused.status == 401)
        #expect(refused.code == "wrong_credentials")
        #expect(refused.headers["WWW-Authenticate"]?.contains("Basic") == true)
    }

    @Test("works with name and password by Basic")
    func basic() async throws {
        let server = try await TestServer()

        let session = try await server.post(
            "/v1/sessions", ["device": "phone"],
            as: .password(TestServer.password, name: "admin"))

        #expect(session.status == 201)
        #expect(session["account"] == "admin")
    }

    @Test("is not done with a token: it would outlive its own revocation")
    func noTokenForToken() async throws {
        let answer = try await TestServer().post("/v1/sessions", ["device": "phone"])

        #expect(answer.status == 422)
        #expect(answer["field"] == "password")
    }

    @Test("with a lifetime ends by itself")
    func lifetime() async throws {
        let server = try await TestServer()
        let session = try await server.post(
            "/v1/sessions",
            [
                "account": "admin", "password": .string(TestServer.password), "device": "script",
                "seconds": 60,
            ], as: .nobody)
        let script = Caller.token(session["token"].text)
        #expect(!session["expires"].isNull)
        #expect(try await server.get("/v1/domains", as: script).status == 200)

        server.clock.advance(.seconds(61))

        #expect(try await server.get("/v1/domains", as: script).status == 401)
        let devices = try await server.get("/v1/devices")
        #expect(!devices["devices"].elements.contains { $0["name"] == "script" })
    }

    @Test(
        "is refused without what it needs",
        arguments: [
            (["account": "admin", "password": "correct horse"], "device"),
            (["account": "admin", "password": "correct horse", "device": ""], "device"),
            (["account": "admin", "password": "correct horse", "device": "a\nb"], "device"),
            (["account": "admin", "password": "correct horse", "device": 7], "device"),
            (
                ["account": "admin", "password": "correct horse", "device": "x", "seconds": 0],
                "seconds"
            ),
        ] as [(JSON, String)])
    func badFields(body: JSON, field: String) async throws {
        let answer = try await TestServer().post("/v1/sessions", body, as: .nobody)

        #expect(answer.status == 422)
        #expect(answer.code == "bad_field")
        #expect(answer["field"].text == field)
    }

    @Test("says the same about a wrong password and an unknown name")
    func wrongCredentials() async throws {
        let server = try await TestServer()

        let wrong = try await logIn(server, "incorrect horse")
        let unknown = try await server.post(
            "/v1/sessions", ["account": "nobody", "password": "whatever", "device": "x"],
            as: .nobody)
        let none = try await server.post("/v1/sessions", ["device": "x"], as: .nobody)

        #expect(wrong.status == 401)
        #expect(wrong["title"] == unknown["title"])
        #expect(wrong.code == unknown.code)
        #expect(none.code == "not_signed_in")
    }

    @Test("has to wait after too many failures, even with the right password, and then may")
    func throttling() async throws {
        let server = try await TestServer()
        for _ in 0..<5 { #expect(try await logIn(server, "guess").status == 401) }

        let refused = try await logIn(server)

        #expect(refused.status == 429)
        #expect(refused.code == "too_many_attempts")
        let wait = try #require(refused.headers["Retry-After"].flatMap { Int($0) })
        server.clock.advance(.seconds(wait))
        #expect(try await logIn(server).status == 201)
    }

    @Test("slows a guesser by Basic down too, but nobody who has a token")
    func throttlingByBasic() async throws {
        let server = try await TestServer()
        for _ in 0..<5 {
            try await server.get("/v1/domains", as: .password("guess", name: "admin"))
        }

        let guesser = Caller.password("guess", name: "admin")
        #expect(try await server.get("/v1/domains", as: guesser).status == 429)
        #expect(try await server.get("/v1/domains").status == 200)
    }

    @Test(
        "is asked for wherever an account is needed",
        arguments: ["", "Bearer", "Digest x", "Basic !"])
    func notSignedIn(authorization: String) async throws {
        let server = try await TestServer()
        var request = try TestRequest(.get, "/v1/domains")
        if !authorization.isEmpty { request.headers = [("Authorization", authorization)] }

        let answer = try await server.send(request, as: .nobody)

        #expect(answer.status == 401)
        #expect(answer.code == "not_signed_in")
        #expect(answer.headers["WWW-Authenticate"] != nil)
    }
}

@Suite("A device")
struct DeviceTests {
    @Test("is listed, the newest first, with which one asks")
    func list() async throws {
        let server = try await TestServer()
        let phone = try await server.join("admin", device: "phone")

        let devices = try await server.get("/v1/devices", as: phone)["devices"].elements

        #expect(devices.map { $0["name"] } == ["phone", "desk"])
        #expect(devices.map { $0["current"] } == [true, false])
    }

    @Test("logs out, and is unknown from then on")
    func logOut() async throws {
        let server = try await TestServer()
        let phone = try await server.join("admin", device: "phone")

        #expect(try await server.delete("/v1/sessions/current", as: phone).status == 204)
        #expect(try await server.delete("/v1/sessions/current", as: phone).status == 401)
        let devices = try await server.get("/v1/devices")["devices"].elements
        #expect(devices.map { $0["name"] } == ["desk"])
    }

    @Test("is none where the password comes with each request")
    func basic() async throws {
        let server = try await TestServer()
        let basic = Caller.password(TestServer.password, name: "admin")

        let answer = try await server.delete("/v1/sessions/current", as: basic)

        #expect(answer.status == 404)
        #expect(answer.code == "no_such_device")
        let devices = try await server.get("/v1/devices", as: basic)["devices"].elements
        #expect(devices.map { $0["current"] } == [false])
    }

    @Test("of somebody else is as unknown as one that never was")
    func others() async throws {
        let server = try await TestServer()
        let ada = try await server.join("ada")
        let device = try await server.get("/v1/devices")["devices"][0]["id"].text

        for id in [device, "zzz", "not-an-identifier"] {
            let answer = try await server.delete("/v1/devices/\(id)", as: ada)
            #expect(answer.status == 404)
            #expect(answer.code == "no_such_device")
        }
        #expect(try await server.get("/v1/devices").status == 200)
    }

    @Test("is slowed down by network: who has many addresses has no more attempts")
    func throttlingByNetwork() async throws {
        let server = try await TestServer()
        func logIn(_ account: String, from address: String) async throws -> Int {
            var request = try TestRequest(.post, "/v1/sessions")
            request.headers = [("Content-Type", "application/json")]
            request.body =
                (["account": .string(account), "password": "guess", "device": "x"] as JSON).bytes
            request.address = address
            return try await server.send(request, as: .nobody).status
        }
        for host in 1...20 {
            #expect(try await logIn("somebody \(host)", from: "2001:db8::\(host)") == 401)
        }
        #expect(try await logIn("another", from: "2001:db8::ffff:1") == 429)
        #expect(try await logIn("another", from: "2001:db8:0:1::1") == 401)
    }
}
