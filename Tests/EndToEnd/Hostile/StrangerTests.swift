import TestSupport
import Testing

extension EndToEnd {
    @Suite("Somebody whom nobody knows", .timeLimit(.minutes(60)))
    struct StrangerTests {
        private static func logIn(_ password: String) -> JSON {
            ["account": "admin", "password": .string(password), "device": "guess"]
        }

        @Test("gets no more guesses by sending them all at once")
        func guesses() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let clients = try (0..<40).map { _ in try WireClient(port: server.port) }
            for (number, client) in clients.enumerated() {
                let body = Array(Self.logIn("guess \(number)").text.utf8)
                let head = server.stranger().head(
                    "POST", "/v1/sessions", ["Content-Type": "application/json"],
                    length: body.count)
                try client.send(head + body)
            }
            let statuses = try clients.map { try $0.answer().status }
            #expect(statuses.count { $0 == 401 } == 5, "as many as are free one by one")
            #expect(statuses.count { $0 == 429 } == 35)
        }

        @Test("holds nobody up with nested lists and a number that is too large")
        func nested() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let list = String(repeating: "[", count: 400) + String(repeating: "]", count: 400) + ","
            let body = Array(
                ("{\"device\":\"x\",\"pad\":[" + String(repeating: list, count: 1200)
                    + "0],\"seconds\":99999999999999999999}").utf8)
            let clients = try (0..<4).map { _ in try WireClient(port: server.port) }
            for client in clients {
                let head = server.stranger().head(
                    "POST", "/v1/sessions", ["Content-Type": "application/json"],
                    length: body.count)
                try client.send(head + body)
            }
            let start = Moment.now
            #expect(try server.caller().get("/v1/domains").status == 200)
            for client in clients { #expect((400..<500).contains(try client.answer().status)) }
            #expect(Moment.now - start < .seconds(20))
        }
    }
}
