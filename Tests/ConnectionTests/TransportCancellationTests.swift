import BasketConnection
import BasketSupport
import Synchronization
import TestSupport
import Testing

@Suite("Cancelling a request", .timeLimit(.minutes(60)))
struct TransportCancellationTests {
    enum Phase: CaseIterable {
        case connecting, waiting, receiving, sending
    }

    /// Says when the server has seen what the phase begins with, and when the connection was given up.
    private final class Witness: Sendable {
        private let states = Mutex((hasBegun: false, isGivenUp: false))
        func begin() { states.withLock { $0.hasBegun = true } }
        func giveUp() { states.withLock { $0.isGivenUp = true } }
        var hasBegun: Bool { states.withLock { $0.hasBegun } }
        var isGivenUp: Bool { states.withLock { $0.isGivenUp } }
    }

    @Test("ends it at once, in each phase, and gives the connection up", arguments: Phase.allCases)
    func ends(phase: Phase) async throws {
        let witness = Witness()
        let server = try RawServer { connection, _ in
            switch phase {
            case .connecting: _ = try connection.read(1)  // The handshake, which is never answered.
            case .waiting, .sending: _ = try connection.head()
            case .receiving:
                _ = try connection.head()
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello")
            }
            witness.begin()
            try connection.waitForClose()
            witness.giveUp()
        }
        let scheme = phase == .connecting ? "https" : "http"
        let transport = CurlTransport(try .of("\(scheme)://127.0.0.1:\(server.port)"))
        var request = TransportRequest("PUT", "/")
        if phase == .sending { request.body = .bytes([UInt8](repeating: 0, count: 64 << 20)) }
        let task = Task { [request] in
            await CurlTransportTests.outcome(transport, request).error
        }
        while !witness.hasBegun { try await Task.sleep(for: .milliseconds(2)) }
        task.cancel()
        let error = await task.value
        guard case .cancelled? = error else { return #expect(Bool(false), "\(error as Any)") }
        while !witness.isGivenUp { try await Task.sleep(for: .milliseconds(2)) }
    }

    @Test("sends nothing when it comes before the beginning")
    func early() async throws {
        let witness = Witness()
        let server = try RawServer { connection, _ in
            if try connection.head() != nil { witness.begin() }
        }
        let transport = CurlTransport(try .of(server.url))
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await CurlTransportTests.outcome(transport, TransportRequest("GET", "/")).error
        }
        task.cancel()
        let error = await task.value
        guard case .cancelled? = error else { return #expect(Bool(false), "\(error as Any)") }
        #expect(!witness.hasBegun)
    }

    @Test("leaves no thread and no descriptor behind")
    func nothingLeft() async throws {
        let files = LinuxFileSystem()
        let server = try RawServer { connection, _ in
            _ = try connection.head()
            try connection.waitForClose()
        }
        func threads() throws -> Int {
            // Other tests' threads end between the one look and the other.
            try files.list("/proc/self/task").filter {
                (try? files.open("/proc/self/task/\($0)/comm").read(at: 0, count: 64))
                    == Array("basket-curl-t42\n".utf8)
            }.count
        }
        do {
            let transport = CurlTransport(try .of(server.url), threadName: "basket-curl-t42")
            let task = Task {
                await CurlTransportTests.outcome(transport, TransportRequest("GET", "/")).error
            }
            task.cancel()
            _ = await task.value
            #expect(try threads() == 1)
        }
        while try threads() > 0 { try await Task.sleep(for: .milliseconds(2)) }
    }
}
