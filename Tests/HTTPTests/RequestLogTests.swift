import BasketHTTP
import BasketSupport
import TestSupport
import Testing

@Suite("A request's line in the log", .timeLimit(.minutes(60)))
struct RequestLogTests {
    @Test("bears the route in place of the path")
    func logs() async throws {
        let lines = Slot<[Log.Entry]>([])
        let log = Log(level: .info) { entry in lines.update { $0.append(entry) } }
        try await withServer(
            log: log,
            answer: Answering { _ in
                HTTPResponse(status: 200, body: .bytes([1, 2, 3]), logLabel: "/items/{item}")
            }
        ) { server in
            try await client {
                let client = try WireClient(port: server.port)
                try client.send("GET /items/secret?token=secret HTTP/1.1\r\nHost: h\r\n\r\n")
                _ = try client.answer()
            }
        }
        let entry = try #require(lines.value?.first)
        let text = entry.fields.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
        #expect(text.contains("/items/{item}") && text.contains("number(200)"))
        #expect(text.contains("bytes=number(3)") && !text.contains("secret"))
    }

    @Test(
        "bears no names where there is no route",
        arguments: [
            "GET /v1/domain/Work/files/Secret.pdf HTTP/1.1\r\nHost: h\r\n\r\n",
            "PUT /Secret.pdf HTTP/1.1\r\n\r\n",
            "STEAL /Secret.pdf HTTP/1.1\r\nHost: h\r\n\r\n",
            "PUT /v1/Secret.pdf HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nhal",
            "GET /Secret.pdf HTTP/1.1\r\n\r\n",
        ])
    func logsNoNames(message: String) async throws {
        let lines = Slot<[Log.Entry]>([])
        let log = Log(level: .info) { entry in lines.update { $0.append(entry) } }
        var limits = HTTPLimits.patient
        limits.uploadWindow = .milliseconds(100)
        try await withServer(limits, log: log, answer: Answering { _ in .text("", status: 404) }) {
            server in
            try await client {
                let client = try WireClient(port: server.port)
                try client.send(message)
                #expect(try client.answer().status >= 400)
            }
        }
        let entry = try #require(lines.value?.first)
        let text = entry.fields.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
        #expect(text.contains("/…") && !text.contains("Secret"))
        let method = message.hasPrefix("STEAL") ? "…" : String(message.prefix(3))
        #expect(text.contains("method=text(\"\(method)\")"))
    }
}
