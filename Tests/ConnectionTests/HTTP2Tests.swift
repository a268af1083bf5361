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
