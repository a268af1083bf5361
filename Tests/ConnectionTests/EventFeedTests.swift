import BasketConnection
import BasketModels
import BasketSupport
import Synchronization
import TestSupport
import Testing

@Suite("An event feed", .timeLimit(.minutes(60)))
struct EventFeedTests {
    private static let quick = RetryPolicy(
        shortestWait: .milliseconds(5), longestWait: .milliseconds(50))

    private static func make(_ name: String, _ ada: ServerConnection) async throws {
        _ = try await ada.create(
            CreateItemRequest(parent: "root", name: name, kind: .folder), in: "Work")
    }

    @Test("tells of changes, and goes on when the server comes back")
    func restart() async throws {
        try await TestServer.with { ada, server in
            try await EventFeed(ada, waits: Self.quick).listen { queue in
                var events = queue.makeAsyncIterator()
                var anchor = try await Self.nextChange(&events)
                try await Self.make("a", ada)
                let first = try await Self.nextChange(&events)
                #expect(first != anchor)
                anchor = try await ada.anchor(of: "Work")
                #expect(first == anchor)

                await server.stop()
                while let event = try await events.next() {
                    if case .disconnected = event { break }
                }
                try server.start()
                try await Self.make("b", ada)
                let second = try await Self.nextChange(&events)
                #expect(second == (try await ada.anchor(of: "Work")))
            }
        }
    }

    private static func nextChange(_ events: inout EventQueue.Iterator) async throws -> String {
        while let event = try await events.next() {
            if case .changed(let domain, let anchor) = event {
                #expect(domain.name == "Work")
                return anchor
            }
        }
        throw WireFailure("the feed ended")
    }

    @Test("is not ended by what another server refuses, which has the address for a while")
    func impostor() async throws {
        let network = ImpostorTransport()
        let connection = ServerConnection(
            transport: network, credentials: .token("secret"), world: .live(log: .silent))
        connection.known.accept("ours")
        let listening = Task {
            try await EventFeed(connection, waits: Self.quick).listen { queue in
                for try await _ in queue {}
            }
        }
        for _ in 0..<2000 where network.asked < 3 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(network.asked >= 3)
        listening.cancel()
    }

    @Test("ends when the device was logged out")
    func revoked() async throws {
        try await TestServer.with { ada, _ in
            _ = await #expect(throws: Code("wrong_credentials")) {
                try await EventFeed(ada, waits: Self.quick).listen { queue in
                    try await coded {
                        for try await event in queue {
                            if case .connected = event { try await ada.logOut() }
                        }
                    }
                }
            }
        }
    }

    @Test("comes back when there is no sign of life, with what it knows")
    func silence() async throws {
        let kept = Heads()
        let server = try RawServer { connection, number in
            guard let head = try connection.head() else { return }
            kept.add(head)
            try connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
            try connection.send(
                "retry: 1\nid: n\(number)\nevent: change\n"
                    + "data: {\"domain\":\"W\",\"id\":\"1\",\"anchor\":\"\(number)\"}\n\n")
            try connection.waitForClose()
        }
        let connection = ServerConnection(
            transport: CurlTransport(try .of(server.url)), credentials: .nobody,
            world: .live(log: .silent))
        let feed = EventFeed(connection, silence: .milliseconds(100), waits: Self.quick)
        let anchors = try await feed.listen { queue in
            var anchors: [String] = []
            for try await event in queue {
                if case .changed(_, let anchor) = event { anchors.append(anchor) }
                if anchors.count == 3 { break }
            }
            return anchors
        }
        #expect(anchors == ["0", "1", "2"])
        #expect(kept.all[2].contains("Last-Event-ID: n1\r\n"))
    }
}

private final class Heads: Sendable {
    private let heads = Mutex<[String]>([])

    func add(_ head: String) {
        heads.withLock { $0.append(head) }
    }

    var all: [String] { heads.withLock { $0 } }
}
