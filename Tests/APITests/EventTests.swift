import BasketAPI
import BasketDatabase
import BasketModels
import BasketStore
import BasketSupport
import Testing

@Suite("The stream of events", .timeLimit(.minutes(60)))
struct EventTests {
    @Test("begins with where each domain stands, and tells each change")
    func changes() async throws {
        let server = try await TestServer(groups: true)
        let before = try await server.anchor()

        try await server.listen { events in
            let first = try #require(await events.next())
            #expect(first.name == "change")
            #expect(first.data["domain"] == "Work")
            #expect(first.data["anchor"].text == before)

            try await server.file("a.txt")
            let second = try #require(await events.next())
            #expect(second.name == "change")
            #expect(second.data["anchor"].text == (try await server.anchor()))
            #expect(!second.id.isEmpty)
        }
        #expect(server.listenerCount == 0)
    }

    @Test("goes on where it was left, and tells only what was missed")
    func resume() async throws {
        let server = try await TestServer()
        try await server.post("/v1/domains", ["name": "Other"])
        let id = try await server.listen { events in
            _ = await events.next()
            return try #require(await events.next()).id
        }
        try await server.file("missed.txt")

        try await server.listen(headers: ["Last-Event-ID": id]) { events in
            let first = try #require(await events.next())
            #expect(first.data["domain"] == "Work")
            #expect(first.data["anchor"].text == (try await server.anchor()))

            try await server.put("/v1/domains/Other/files/b.txt", text: "b")
            let second = try #require(await events.next())
            #expect(second.data["domain"] == "Other")
        }
    }

    @Test("tells everything to who comes back with what is no identifier of it")
    func badID() async throws {
        let server = try await TestServer()

        try await server.listen(headers: ["Last-Event-ID": "x:y,,:,1:2-3,zz"]) { events in
            #expect(await events.next()?.data["domain"] == "Work")
        }
    }

    @Test("has short identifiers for any number of domains, and misses nothing")
    func manyDomains() async throws {
        let server = try await TestServer()
        let store = server.service.store
        let account = try store.read { try $0.account(named: "admin") }
        let admin = Identity(
            account: account.number, accountName: account.name, role: account.role, device: nil,
            deviceName: "")
        try await store.write(as: admin) { transaction in
            for number in 1..<Transaction.mostDomains {
                _ = try transaction.createDomain(
                    "d\(number)", caseRule: .posix, hasTrash: true, quota: nil)
            }
        }
        @Sendable func greeting(_ events: TestEvents) async throws -> [TestEvent] {
            var greeting: [TestEvent] = []
            for _ in 0..<Transaction.mostDomains {
                greeting.append(try #require(await events.next()))
            }
            return greeting
        }

        let id = try await server.listen { events in
            let told = try await greeting(events)
            #expect(Set(told.map { $0.data["domain"].text }).count == Transaction.mostDomains)
            #expect(told.allSatisfy { $0.id.utf8.count < 1000 })
            try await server.file("a.txt")
            return try #require(await events.next()).id
        }
        #expect(!id.isEmpty)
        try await server.file("missed.txt")
        let anchor = try await server.anchor()

        try await server.listen(headers: ["Last-Event-ID": id]) { events in
            let told = try await greeting(events)
            let work = told.first { $0.data["domain"] == "Work" }
            #expect(work?.data["anchor"].text == anchor)
        }
    }

    @Test("shows that it lives")
    func heartbeat() async throws {
        let server = try await TestServer()

        try await server.listen { events in
            _ = await events.next()
            await server.clock.somebodySleeps()
            server.clock.advance(.seconds(20))
            #expect(await events.nextOfAny()?.data.isNull == true)
        }
    }

    @Test("tells of locks, but not of their renewal")
    func locks() async throws {
        let server = try await TestServer()
        let file = try await server.file("a.txt")

        try await server.listen { events in
            _ = await events.next()
            try await server.put(TestServer.path(file) + "/lock", [:])
            try await server.put(TestServer.path(file) + "/lock", [:])
            let taken = try #require(await events.next())
            #expect(taken.name == "lock")
            #expect(taken.data == ["domain": "Work", "item": file["id"]])

            try await server.delete(TestServer.path(file) + "/lock")
            #expect(await events.next()?.name == "lock")
        }
    }

    @Test("begins with the locks that are held, also of domains that come later")
    func locksHeld() async throws {
        let server = try await TestServer()
        let (held, free) = (try await server.file("held"), try await server.file("free"))
        for file in [held, free] { try await server.put(TestServer.path(file) + "/lock", [:]) }
        try await server.delete(TestServer.path(free) + "/lock")
        try await server.listen { events in
            #expect(await events.next()?.name == "change")
            let lock = try #require(await events.next())
            #expect(lock.name == "lock")
            #expect(lock.data == ["domain": "Work", "item": held["id"]])
            try await server.put(TestServer.path(free) + "/lock", [:])
            #expect(await events.next()?.data == ["domain": "Work", "item": free["id"]])
        }
    }

    @Test("tells of domains that come and go, and of what happens in new ones")
    func domains() async throws {
        let server = try await TestServer()
        let ada = try await server.join("ada")

        try await server.listen(as: ada) { events in
            try await server.invite("ada", "reader")
            #expect(await events.next()?.data["domain"] == "Work")
            let joined = try #require(await events.next())
            #expect(joined.name == "domains")
            #expect(joined.data == ["domains": ["Work"]])

            try await server.file("a.txt")
            #expect(await events.next()?.name == "change")

            try await server.delete("/v1/domains/Work/members/ada")
            #expect(await events.next()?.data == ["domains": []])
        }
    }

    @Test("tells nobody of domains that are not theirs")
    func others() async throws {
        let server = try await TestServer()
        let ada = try await server.join("ada")
        try await server.post("/v1/domains", ["name": "Hers"], as: ada)

        try await server.listen(as: ada) { events in
            #expect(await events.next()?.data["domain"] == "Hers")
            try await server.file("a.txt")
            try await server.put("/v1/domains/Hers/files/b.txt", text: "b", as: ada)
            #expect(await events.next()?.data["domain"] == "Hers")
        }
    }

    @Test("ends when its device is revoked, and goes on when another one is")
    func revoked() async throws {
        let server = try await TestServer()
        let phone = try await server.join("admin", device: "phone")
        let tablet = try await server.join("admin", device: "tablet")

        try await server.listen(as: phone) { events in
            _ = await events.next()
            try await server.delete("/v1/sessions/current", as: tablet)
            try await server.file("a.txt")
            #expect(await events.next()?.name == "change")
            try await server.delete("/v1/sessions/current", as: phone)
            #expect(await events.next() == nil)
        }
    }

    /// Somebody whose token lasts so many seconds.
    private func guest(_ server: TestServer, seconds: Int64) async throws -> Caller {
        let session = try await server.post(
            "/v1/sessions",
            [
                "account": "admin", "password": .string(TestServer.password), "device": "guest",
                "seconds": .integer(seconds),
            ], as: .nobody)
        return .token(session["token"].text)
    }

    @Test("ends when its token does, at that moment", arguments: [3, 30])
    func expired(seconds: Int64) async throws {
        let server = try await TestServer()

        try await server.listen(as: guest(server, seconds: seconds)) { events in
            _ = await events.next()
            await server.clock.somebodySleeps()
            // Past the heartbeat that comes before, if there is one.
            if seconds > 20 {
                server.clock.advance(.seconds(20))
                #expect(await events.nextOfAny()?.data.isNull == true)
                await server.clock.somebodySleeps()
            }
            server.clock.advance(.seconds(seconds > 20 ? 10 : 3))
            #expect(await events.nextOfAny() == nil)
        }
        #expect(server.listenerCount == 0)
    }

    @Test("tells nothing that happens after its token's end")
    func changesAfterExpiry() async throws {
        let server = try await TestServer()
        let guest = try await guest(server, seconds: 3)

        try await server.listen(as: guest) { events in
            _ = await events.next()
            try await server.file("before.txt")
            #expect(await events.next()?.name == "change")
            server.clock.advance(.seconds(3))
            try await server.file("after.txt")
            #expect(await events.next() == nil)
        }
    }

    @Test("ends when a command beside the server has logged its device out")
    func foreignRevocation() async throws {
        let server = try await TestServer()
        let ada = try await server.join("ada")
        try await server.invite("ada", "reader")

        try await server.listen(as: ada) { events in
            _ = await events.next()
            // As another process does it: nobody is told, and then only that something changed.
            try await server.service.store.write { transaction in
                _ = try transaction.db.run("UPDATE device SET revoked = 1 WHERE name = 'laptop'")
            }
            try await server.put("/v1/domains/Work/members/ada", ["role": "writer"])
            #expect(await events.next() == nil)
        }
    }

    @Test("of a password ends when a command beside the server has set another one")
    func foreignPassword() async throws {
        let server = try await TestServer()
        _ = try await server.join("ada")
        try await server.invite("ada", "reader")
        let ada = Caller.password(TestServer.password, name: "ada")

        try await server.listen(as: ada) { events in
            _ = await events.next()
            try await server.service.store.write { transaction in
                _ = try transaction.db.run("UPDATE account SET password = '' WHERE name = 'ada'")
            }
            server.service.authenticator.forgetEverything()
            try await server.put("/v1/domains/Work/members/ada", ["role": "writer"])
            #expect(await events.next() == nil)
        }
    }

    @Test("ends when the account changes")
    func accountChanged() async throws {
        let server = try await TestServer()
        let ada = try await server.join("ada")
        try await server.invite("ada", "reader")

        try await server.listen(as: ada) { events in
            _ = await events.next()
            try await server.patch("/v1/accounts/ada", ["disabled": true])
            #expect(await events.next() == nil)
        }
        #expect(try await server.get("/v1/events", as: ada).status == 401)
    }
}
