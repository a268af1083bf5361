import BasketConnection
import BasketModels
import BasketSupport
import TestSupport
import Testing

@Suite("A call that is repeated", .timeLimit(.minutes(60)))
struct RepetitionTests {
    @Test("is done once, however often its answer is lost")
    func once() async throws {
        let network = BreakingTransport(
            [("POST", "/items", 0), ("POST", "/items", 0), ("POST", "/items", 0)])
        try await TestServer.with(network: network) { ada, _ in
            var request = CreateItemRequest(parent: "root", name: "a", kind: .folder)
            request.ifExists = .rename
            let made = try await ada.create(request, in: "Work").item
            #expect(made.name == "a")
            #expect(try await ada.children(of: "root", in: "Work").items.map(\.name) == ["a"])
        }
    }

    /// A connection to a server that answers with one status after another, and how many came.
    private static func answering(
        _ answers: [String], _ retries: RetryPolicy = .quick
    ) throws -> (connection: ServerConnection, server: RawServer) {
        let server = try RawServer { connection, _ in
            var number = 0
            while try connection.head() != nil {
                try connection.send(answers[min(number, answers.count - 1)])
                number += 1
            }
        }
        let connection = ServerConnection(
            transport: CurlTransport(try .of(server.url)), credentials: .nobody,
            world: .live(log: .silent), retries: retries)
        return (connection, server)
    }

    private static let good =
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 14\r\n\r\n"
        + #"{"domains":[]}"#
    private static func bad(_ status: Int, _ headers: String = "") -> String {
        "HTTP/1.1 \(status) No\r\n\(headers)Content-Length: 0\r\n\r\n"
    }

    @Test("ends well once the server is back", arguments: [408, 502, 503, 504])
    func comesBack(status: Int) async throws {
        let (connection, server) = try Self.answering([
            Self.bad(status), Self.bad(status), Self.good,
        ])
        let domains = try await connection.domains()
        withExtendedLifetime(server) { #expect(domains.isEmpty) }
    }

    @Test("waits as long as the server says")
    func retryAfter() async throws {
        let (connection, server) = try Self.answering([
            Self.bad(429, "Retry-After: 1\r\n"), Self.good,
        ])
        let world = World.live(log: .silent)
        let start = world.uptime()
        _ = try await connection.domains()
        withExtendedLifetime(server) { #expect(world.uptime() - start >= .seconds(1)) }
    }

    @Test("is given up after so many attempts, and when that would take too long")
    func givenUp() async throws {
        let patient = RetryPolicy(
            mostAttempts: 3, shortestWait: .milliseconds(1), longestWait: .milliseconds(2))
        let (first, one) = try Self.answering(
            [Self.bad(503), Self.bad(503), Self.bad(503), Self.good], patient)
        await #expect(throws: Code("http_503")) { try await coded { try await first.domains() } }
        let (second, two) = try Self.answering([Self.bad(503, "Retry-After: 3600\r\n"), Self.good])
        await #expect(throws: Code("http_503")) { try await coded { try await second.domains() } }
        withExtendedLifetime((one, two)) {}
    }

    @Test("is none where nobody asked twice", arguments: [400, 403, 404, 429, 500, 507])
    func atOnce(status: Int) async throws {
        let (connection, server) = try Self.answering([Self.bad(status), Self.good])
        await #expect(throws: Code("http_\(status)")) {
            try await coded { try await connection.domains() }
        }
        withExtendedLifetime(server) {}
    }

    @Test("is no login, which would leave a token behind")
    func logIn() async throws {
        let (connection, server) = try Self.answering([Self.bad(503), Self.good])
        await #expect(throws: Code("http_503")) {
            try await coded {
                try await connection.logIn(
                    LogInRequest(account: "a", password: "b", device: "c"))
            }
        }
        withExtendedLifetime(server) {}
    }

    @Test("ends with its task, also while it waits")
    func cancelled() async throws {
        let slow = RetryPolicy(
            mostAttempts: 3, shortestWait: .seconds(100), longestWait: .seconds(100))
        let (connection, server) = try Self.answering([Self.bad(503)], slow)
        let task = Task { try await connection.domains() }
        try await Task.sleep(for: .milliseconds(50))
        task.cancel()
        let result = await task.result
        guard case .failure(let error as ConnectionError) = result, case .cancelled = error else {
            return #expect(Bool(false), "\(result)")
        }
        withExtendedLifetime(server) {}
    }

    // MARK: Answers of hostile servers

    @Test(
        "says what it cannot make sense of",
        arguments: [
            "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\n{}",
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5\r\n\r\n{\"dom",
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n"
                + #"{"domains":1}"#,
            "HTTP/1.1 404 No\r\nContent-Type: application/problem+json\r\nContent-Length: 2\r\n\r\n[]",
        ])
    func badAnswer(answer: String) async throws {
        let (connection, server) = try Self.answering([answer])
        do throws(ConnectionError) {
            _ = try await connection.domains()
            Issue.record("it was understood")
        } catch {
            guard case .badAnswer = error else { throw error }
        }
        withExtendedLifetime(server) {}
    }

    @Test("reads no more of an answer than it can bear")
    func endless() async throws {
        let server = try RawServer { connection, _ in
            _ = try connection.head()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n[")
            while true { try connection.send([UInt8](repeating: 0x20, count: 1 << 20)) }
        }
        let connection = ServerConnection(
            transport: CurlTransport(try .of(server.url)), credentials: .nobody,
            world: .live(log: .silent))
        do throws(ConnectionError) {
            _ = try await connection.domains()
        } catch {
            guard case .badAnswer = error else { throw error }
        }
    }
}
