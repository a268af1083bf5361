import BasketConnection
import BasketContent
import BasketHTTP
import BasketSupport
import Foundation
import Testing

@Suite(
    "A server that speaks HTTP/2", .timeLimit(.minutes(60)),
    .enabled(if: HTTP2Peer.isThere, "needs python3-h2"))
struct HTTP2Tests {
    @Test("is spoken to in it: many requests at once, with their bodies, on one connection")
    func together() async throws {
        try await Self.withPeer { transport in
            let answers = try await withThrowingTaskGroup(of: (Int, String?, Bool).self) { group in
                for number in 0..<30 {
                    group.addTask {
                        // More than goes out, or comes back, before the other side says that it may go on.
                        let bytes = someBytes(number * 10_000, seed: UInt64(number))
                        var body: [UInt8] = []
                        let head = try await transport.send(
                            TransportRequest("PUT", "/\(number)", body: .bytes(bytes))
                        ) { _, more in body += more }
                        return (head.status, head[header: "x-connection"], body == bytes)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.count == 30)
            #expect(answers.allSatisfy { $0.0 == 200 && $0.2 })
            #expect(Set(answers.map(\.1)) == ["0"])
        }
    }

    @Test("goes on after a request that is given up")
    func cancellation() async throws {
        try await Self.withPeer { transport in
            for _ in 0..<10 {
                let long = Task {
                    var request = TransportRequest("PUT", "/long")
                    request.body = .bytes([UInt8](repeating: 1, count: 16 << 20))
                    return await CurlTransportTests.outcome(transport, request).error
                }
                let short = TransportRequest("PUT", "/short", body: .bytes([1, 2, 3]))
                #expect(await CurlTransportTests.outcome(transport, short).body == [1, 2, 3])
                long.cancel()
                let error = await long.value
                if let error, case .cancelled = error { continue }
                #expect(error == nil, "\(error as Any)")
            }
        }
    }

    @Test("gives no bytes of a download that was given up to the next request")
    func pausedDownload() async throws {
        try await Self.withPeer { transport in
            // While another one is on the connection, curl forgets less of a request that goes.
            let other = try await Self.stuckDownload(transport)
            for _ in 0..<3 {
                let long = try await Self.stuckDownload(transport)
                long.cancel()
                _ = await long.result
                let bytes = someBytes(3 << 20, seed: 2)
                var body: [UInt8] = []
                let next = TransportRequest("PUT", "/next", body: .bytes(bytes))
                _ = try await transport.send(next) { _, more in
                    // Held back for a while, too: that is when curl looks for what it has kept.
                    if body.isEmpty { try await Task.sleep(for: .milliseconds(300)) }
                    body += more
                }
                let isWhatWasSent = body == bytes
                #expect(isWhatWasSent)
            }
            other.cancel()
            _ = await other.result
        }
    }

    /// A download whose consumer takes no more, so that it is held back.
    private static func stuckDownload(_ transport: CurlTransport) async throws -> Task<
        Void, any Error
    > {
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            var request = TransportRequest("PUT", "/long")
            request.body = .bytes([UInt8](repeating: 1, count: 3 << 20))
            _ = try await transport.send(request) { _, _ in
                arrival.yield()
                try await Task.sleep(for: .seconds(3600))
            }
        }
        for await _ in arrivals { break }
        // Until there is no room for more.
        try await Task.sleep(for: .milliseconds(300))
        return task
    }

    private static func withPeer(_ body: (CurlTransport) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/basket-\(UUID().uuidString)"
        try LinuxFileSystem().makeFolder(folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let identity = try TLSIdentity.selfSigned(
            names: ["localhost"], now: World.live(log: .silent).now())
        let print = try #require(identity.fingerprint.flatMap { ContentHash(hex: $0) })
        let peer = try HTTP2Peer(identity, in: folder)
        defer { peer.stop() }
        try await body(
            CurlTransport(try .of("https://127.0.0.1:\(peer.port)", trust: .certificate(print))))
    }
}
