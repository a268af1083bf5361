import BasketConnection
import Glibc
import Synchronization
import TestSupport
import Testing

@Suite("A connection that leads nowhere any more", .timeLimit(.minutes(60)))
struct DeadConnectionTests {
    @Test("is given up by the kernel, though nobody says that it ended")
    func unconfirmed() async throws {
        let server = try RawServer { connection, _ in
            while try connection.head() != nil {
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            }
        }
        let transport = CurlTransport(try .of(server.url))
        _ = try await transport.send(TransportRequest("GET", "/")) { _, _ in }
        let limits = Self.sockets(to: server.port).map { socket in
            var milliseconds: CUnsignedInt = 0
            var length = socklen_t(MemoryLayout<CUnsignedInt>.size)
            getsockopt(socket, CInt(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds, &length)
            return milliseconds
        }
        withExtendedLifetime(transport) { #expect(limits == [60_000]) }
    }

    @Test("is not tried after another one that was silent")
    func pooled() async throws {
        let hasMoved = Flag()
        let both = Gathering()
        let server = try RawServer { connection, number in
            while try connection.head() != nil {
                if hasMoved.isSet, number < 2 { return try connection.waitForClose() }
                if !hasMoved.isSet { both.wait(for: 2) }
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\(number)")
            }
        }
        let transport = CurlTransport(try .of(server.url))
        async let first = CurlTransportTests.outcome(transport, TransportRequest("GET", "/"))
        async let second = CurlTransportTests.outcome(transport, TransportRequest("GET", "/"))
        #expect(await Set([first.body, second.body]) == [Array("0".utf8), Array("1".utf8)])
        // curl counts the age of connections in whole seconds.
        try await Task.sleep(for: .milliseconds(2100))
        hasMoved.set()
        var request = TransportRequest("GET", "/")
        request.timeouts = CurlTransportTests.short

        guard case .noAnswer? = await CurlTransportTests.outcome(transport, request).error else {
            return #expect(Bool(false), "an old connection answered")
        }
        request.timeouts = TransportTimeouts(firstByte: .seconds(5))
        #expect(await CurlTransportTests.outcome(transport, request).body == Array("2".utf8))
    }

    /// This process's ends of what leads there.
    private static func sockets(to port: UInt16) -> [CInt] {
        (0..<CInt(1024)).filter { socket in
            var address = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            return withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    getpeername(socket, $0, &length) == 0
                }
            } && address.sin_family == AF_INET && UInt16(bigEndian: address.sin_port) == port
        }
    }
}

private final class Flag: Sendable {
    private let state = Mutex(false)
    var isSet: Bool { state.withLock { $0 } }
    func set() { state.withLock { $0 = true } }
}

/// Has threads wait for each other.
private final class Gathering: Sendable {
    private let count = Mutex(0)

    func wait(for all: Int) {
        count.withLock { $0 += 1 }
        while count.withLock({ $0 }) < all { usleep(1000) }
    }
}
