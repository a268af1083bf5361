import BasketAPI
import BasketHTTP
import Testing

@Suite("What everybody may know")
struct ServerInformationTests {
    @Test("needs no account", arguments: ["/v1/server", "/healthz", "/readyz", "/openapi.json"])
    func open(path: String) async throws {
        let server = try await TestServer()

        #expect(try await server.get(path, as: .nobody).status == 200)
    }

    @Test("names the server, and every limit")
    func server() async throws {
        let server = try await TestServer {
            $0.name = "Attic"
            $0.version = "1.2.3"
            $0.largestFile = 1000
        }

        let answer = try await server.get("/v1/server", as: .nobody)

        #expect(answer["name"] == "Attic")
        #expect(answer["version"] == "1.2.3")
        #expect(answer["limits"]["fileBytes"] == 1000)
        #expect(answer["limits"]["nameBytes"] == 255)
        #expect(answer["limits"]["headerBytes"] == 32_768)
        #expect(answer["limits"]["ranges"] == 64)
        #expect(answer["limits"]["idempotencyKeyBytes"] == 255)
        #expect(!answer["features"].elements.contains("faults"))
    }

    @Test("is answered to HEAD as to GET, and to nothing else")
    func methods() async throws {
        let server = try await TestServer()

        #expect(try await server.head("/v1/server", as: .nobody).status == 200)
        let refused = try await server.post("/v1/server", as: .nobody)
        #expect(refused.status == 405)
        #expect(refused.code == "method_not_allowed")
        #expect(refused.headers["Allow"] == "GET, HEAD")
        #expect(refused["title"] == "POST is not for this path.")
        #expect(refused["detail"] == "It takes GET, HEAD.")
    }

    @Test(
        "tells what is not there from what is",
        arguments: ["/", "/v1", "/v2/server", "/v1/domains/", "/v1/server/more"])
    func noRoute(path: String) async throws {
        let answer = try await TestServer().get(path)

        #expect(answer.status == 404)
        #expect(answer.code == "no_such_route")
        #expect(!answer["requestId"].isNull)
    }

    // MARK: Metrics

    @Test("gives its numbers to its own machine")
    func metrics() async throws {
        let server = try await TestServer()
        try await server.file("a.txt", "hello")

        let answer = try await server.get("/metrics", as: .nobody)

        #expect(answer.status == 200)
        #expect(answer.type == "text/plain")
        #expect(answer.text.contains("\nbasket_items 1\n"))
        #expect(answer.text.contains("\nbasket_used_bytes 5\n"))
        #expect(answer.text.contains("# TYPE basket_domains gauge\nbasket_domains 1\n"))
        #expect(answer.text.contains("\nbasket_info{version=\""))
    }

    @Test("gives its numbers to others only with the token that was set for them")
    func metricsToken() async throws {
        let server = try await TestServer { $0.metricsToken = "numbers" }
        func status(
            _ caller: Caller, from address: String, by proxy: [(String, String)] = []
        ) async throws -> Int {
            var request = try TestRequest(.get, "/metrics")
            request.address = address
            request.headers = proxy.map { (name: $0.0, value: $0.1) }
            return try await server.send(request, as: caller).status
        }

        #expect(try await status(.nobody, from: "192.0.2.7") == 401)
        #expect(try await status(.token("guessed"), from: "192.0.2.7") == 401)
        #expect(try await status(.token("numbers"), from: "192.0.2.7") == 200)
        #expect(try await status(.nobody, from: "::1") == 200)
        for proxy in [("Forwarded", "for=192.0.2.7"), ("X-Forwarded-For", "192.0.2.7")] {
            #expect(try await status(.nobody, from: "127.0.0.1", by: [proxy]) == 401)
        }
    }
}
