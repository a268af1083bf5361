import BasketAPI
import BasketHTTP
import Testing

@Suite("A fault", .timeLimit(.minutes(60)))
struct FaultTests {
    private let faults = "/v1/debug/faults"

    private func faultyServer() async throws -> TestServer {
        try await TestServer { $0.allowsFaults = true }
    }

    @Test("is there only when the server was started for it")
    func notAllowed() async throws {
        let server = try await TestServer()

        #expect(try await server.get(faults).code == "no_such_route")
        #expect(try await server.post(faults, ["status": 500]).code == "no_such_route")
        let info = try await faultyServer().get("/v1/server", as: .nobody)
        #expect(info["features"].elements.contains("faults"))
    }

    @Test("strikes as often as was said, with its status and its code")
    func times() async throws {
        let server = try await faultyServer()
        let rule: JSON = [
            "method": "GET", "path": "/v1/domains/Work", "times": 2, "status": 503,
            "code": "busy",
        ]

        let added = try await server.post(faults, rule)

        #expect(added.status == 201)
        #expect(added["faults"][0]["times"] == 2)
        for _ in 0..<2 {
            let answer = try await server.get("/v1/domains/Work")
            #expect(answer.status == 503)
            #expect(answer.code == "busy")
        }
        #expect(try await server.get("/v1/domains/Work").status == 200)
        #expect(try await server.get(faults)["faults"] == [])
    }

    @Test("strikes only what it is about")
    func aim() async throws {
        let server = try await faultyServer()
        let file = try await server.file("a.txt")
        let other = try await server.file("b.txt")
        try await server.post(faults, ["item": file["id"], "status": 500])

        let answer = try await server.send(
            TestRequest(.get, TestServer.path(file)), isDescribed: false)

        #expect(answer.status == 500)
        #expect(answer.code == "simulated_error")
        #expect(try await server.get(TestServer.path(other)).status == 200)
    }

    @Test(
        "strikes none or all of a hundred requests, when that was said",
        arguments: [(0, 200), (100, 503)])
    func percent(percent: Int, status: Int) async throws {
        let server = try await faultyServer()
        try await server.post(
            faults, ["percent": .integer(Int64(percent)), "status": 503, "code": "busy"])

        for _ in 0..<20 { #expect(try await server.get("/v1/domains").status == status) }
    }

    @Test("delays")
    func delay() async throws {
        let server = try await faultyServer()
        try await server.post(faults, ["delayMilliseconds": 5000])

        async let waiting = server.get("/v1/domains")
        await server.clock.somebodySleeps()
        server.clock.advance(.seconds(5))

        #expect(try await waiting.status == 200)
    }

    @Test("is taken away, one or all")
    func remove() async throws {
        let server = try await faultyServer()
        for _ in 0..<3 { try await server.post(faults, ["path": "/nowhere", "status": 500]) }
        let first = try await server.get(faults)["faults"][0]["id"].int ?? 0

        #expect(try await server.delete(faults + "/\(first)").status == 204)
        #expect(try await server.delete(faults + "/\(first)").code == "no_such_fault")
        #expect(try await server.delete(faults + "/all").code == "no_such_fault")
        #expect(try await server.get(faults)["faults"].elements.count == 2)
        #expect(try await server.delete(faults).status == 204)
        #expect(try await server.get(faults)["faults"] == [])
    }

    @Test(
        "is refused when it makes no sense",
        arguments: [
            ([:], "status"), (["status": 200], "status"),
            (["status": 500, "percent": 101], "percent"),
            (["status": 500, "times": 0], "times"),
            (["delayMilliseconds": 600_001], "delayMilliseconds"),
        ] as [(JSON, String)])
    func badFields(rule: JSON, field: String) async throws {
        let answer = try await faultyServer().post(faults, rule)

        #expect(answer.status == 422)
        #expect(answer["field"].text == field)
    }

    @Test("is one of a hundred at most, and the administrator's business")
    func limits() async throws {
        let server = try await faultyServer()
        let ada = try await server.join("ada")

        #expect(try await server.post(faults, ["status": 500], as: ada).code == "forbidden")
        for _ in 0..<100 { try await server.post(faults, ["path": "/nowhere", "status": 500]) }
        let answer = try await server.post(faults, ["status": 500])

        #expect(answer.status == 409)
        #expect(answer.code == "too_many_faults")
    }

    @Test("slows down what comes and what goes")
    func bandwidth() async throws {
        let server = try await faultyServer()
        let file = try await server.file("a.bin", bytes: patterned(100_000))
        try await server.post(faults, ["item": file["id"], "bytesPerSecond": 20_000])
        let path = TestServer.path(file) + "/content"

        let slept = try await passing(server) {
            let answer = try await server.send(TestRequest(.get, path), isDescribed: false)
            #expect(answer.body == patterned(100_000))
        }
        #expect(slept >= .seconds(5))
        let written = try await passing(server) {
            let text = String(repeating: "x", count: 40_000)
            let answer = try await server.put(path, text: text)
            #expect(answer.status == 200)
        }
        #expect(written >= .seconds(2))
        #expect(try await server.post(faults, ["bytesPerSecond": 0]).status == 422)
    }

    /// How much time passed meanwhile; it passes for as long as somebody waits for it.
    private func passing(
        _ server: TestServer, _ body: @Sendable @escaping () async throws -> Void
    ) async throws -> Duration {
        let start = server.clock.uptime
        let work = Task { try await body() }
        let clock = Task {
            while !Task.isCancelled {
                server.clock.advance(.milliseconds(100))
                await Task.yield()
            }
        }
        defer { clock.cancel() }
        try await work.value
        return server.clock.uptime - start
    }
}
