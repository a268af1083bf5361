import BasketHTTP
import TestSupport
import Testing

@Suite("A sender that is too slow", .timeLimit(.minutes(60)))
struct SlowSenderTests {
    private static let head = "PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 60000\r\n\r\n"

    private static var limits: HTTPLimits {
        var limits = HTTPLimits.patient
        limits.uploadWindow = .milliseconds(200)
        limits.uploadBytesPerSecond = 1 << 20
        return limits
    }

    @Test(
        "is told so while a small body is gathered, whether the handler would read it or not",
        arguments: ["", "a"], [true, false])
    func silent(sent: String, reads: Bool) async throws {
        try await withServer(Self.limits, answer: Self.answering(reads: reads)) { server in
            try await client {
                let client = try WireClient(port: server.port)
                try client.send(Self.head + sent)
                #expect(try client.answer().status == 408)
                #expect(try client.isClosed())
            }
        }
    }

    @Test("is told so when a byte comes now and then", arguments: [true, false])
    func trickles(reads: Bool) async throws {
        try await withServer(Self.limits, answer: Self.answering(reads: reads)) { server in
            try await client {
                let client = try WireClient(port: server.port)
                try client.send(Self.head)
                for _ in 0..<500 where !client.hasMore(withinMilliseconds: 20) {
                    try? client.send("a")
                }
                // A byte that crosses the answer on its way may take it along: then it just ends.
                let answer = try? client.answer()
                #expect(answer == nil || answer?.status == 408)
            }
        }
    }

    @Test("gets the answer that does not need the rest, and is not waited for any longer")
    func refusedEarly() async throws {
        var limits = Self.limits
        limits.gatheredBodyBytes = 0
        try await withServer(limits, answer: Self.answering(reads: false)) { server in
            try await client {
                let client = try WireClient(port: server.port)
                try client.send(Self.head + "a")
                #expect(try client.answer().status == 404)
                #expect(try client.isClosed())
            }
        }
    }

    @Test("may be slow for as long as the whole body needs, when it keeps the pace")
    func steady() async throws {
        var limits = Self.limits
        limits.uploadWindow = .seconds(2)
        limits.uploadBytesPerSecond = 1
        try await withServer(limits, answer: Self.answering(reads: true)) { server in
            try await client {
                let client = try WireClient(port: server.port)
                try client.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\n")
                for _ in 0..<10 {
                    #expect(!client.hasMore(withinMilliseconds: 300))
                    try client.send("a")
                }
                #expect(try client.answer().text == "10")
            }
        }
    }

    private static func answering(reads: Bool) -> Answering {
        Answering { request in
            guard reads else { return .text("nothing is here", status: 404) }
            let body = try? await request.body.collect(upTo: 1 << 20)
            return .text("\(body?.count ?? -1)")
        }
    }
}
