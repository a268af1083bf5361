import BasketConnection
import BasketSupport
import Synchronization
import TestSupport
import Testing

@Suite("A transport under load", .serialized, .timeLimit(.minutes(60)))
struct TransportLoadTests {
    @Test("answers a thousand requests at a time")
    func thousand() async throws {
        let server = try RawServer { connection, _ in
            while let head = try connection.head() {
                let number = head.dropFirst(5).prefix { $0 != " " }
                try connection.send(
                    "HTTP/1.1 200 OK\r\nContent-Length: \(number.utf8.count)\r\n\r\n\(number)")
            }
        }
        let transport = CurlTransport(try .of(server.url))
        let right = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<1000 {
                group.addTask {
                    let outcome = await CurlTransportTests.outcome(
                        transport, TransportRequest("GET", "/\(number)"))
                    return outcome.body == Array("\(number)".utf8)
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(right == 1000)
    }

    @Test("keeps little of what a slow consumer has not taken")
    func slowConsumer() async throws {
        let total = 64 << 20
        let piece = [UInt8](repeating: 7, count: 64 << 10)
        let counter = Counted()
        let server = try RawServer { connection, _ in
            _ = try connection.head()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(total)\r\n\r\n")
            for _ in 0..<total / piece.count {
                try connection.send(piece)
                counter.add(piece.count)
            }
        }
        let transport = CurlTransport(try .of(server.url))
        var received = 0
        var ahead = 0
        _ = try await transport.send(TransportRequest("GET", "/")) { _, bytes in
            if received < 2 << 20 { try await Task.sleep(for: .milliseconds(60)) }
            received += bytes.count
            ahead = max(ahead, counter.sent - received)
        }
        #expect(received == total)
        // A megabyte here; the rest are the kernel's buffers on both sides.
        #expect(ahead < 16 << 20)
    }

    @Test("holds to a bandwidth", arguments: [true, false])
    func bandwidth(receiving: Bool) async throws {
        let length = 2 << 20
        let rate = Int64(2 << 20)
        let server = try RawServer { connection, _ in
            while let head = try connection.head() {
                if head.hasPrefix("PUT") {
                    _ = try connection.read(length)
                    try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
                } else {
                    try connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n")
                    try connection.send([UInt8](repeating: 1, count: length))
                }
            }
        }
        let transport = CurlTransport(try .of(server.url))
        transport.limit(
            Bandwidth(receiving: receiving ? rate : nil, sending: receiving ? nil : rate))
        let begin = World.live(log: .silent).uptime()
        // Two at a time share what there is.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    let request =
                        receiving
                        ? TransportRequest("GET", "/")
                        : TransportRequest(
                            "PUT", "/", body: .bytes([UInt8](repeating: 1, count: length)))
                    _ = try await transport.send(request) { _, _ in }
                }
            }
            try await group.waitForAll()
        }
        let seconds = (World.live(log: .silent).uptime() - begin) / .seconds(1)
        #expect((1.6...120).contains(seconds), "\(seconds)")
    }

    @Test("gives all that send their turns in a bandwidth")
    func turns() async throws {
        let length = 4 << 20
        let server = try RawServer { connection, _ in
            while try connection.head() != nil {
                _ = try connection.read(length)
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            }
        }
        let transport = CurlTransport(try .of(server.url))
        transport.limit(Bandwidth(receiving: nil, sending: Int64(length)))
        let counters = (0..<4).map { _ in Counted() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for counter in counters {
                group.addTask {
                    var request = TransportRequest(
                        "PUT", "/", body: .bytes([UInt8](repeating: 1, count: length)))
                    request.progress = { counter.add(Int($0.sent) - counter.sent) }
                    _ = try await transport.send(request) { _, _ in }
                }
            }
            try await group.next()
            // Nobody has to wait until another one has sent all of it.
            #expect(
                counters.allSatisfy { $0.sent > length / 2 }, "\(counters.map(\.sent))")
            try await group.waitForAll()
        }
    }
}

private final class Counted: Sendable {
    private let count = Mutex(0)

    var sent: Int { count.withLock { $0 } }

    func add(_ more: Int) {
        count.withLock { $0 += more }
    }
}
