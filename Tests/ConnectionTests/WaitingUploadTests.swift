import BasketConnection
import BasketSupport
import Synchronization
import Testing

@Suite("An upload that waits for its turn", .timeLimit(.minutes(60)))
struct WaitingUploadTests {
    @Test("is seen to move", arguments: [300 << 10, 2 << 20])
    func moves(size: Int) async throws {
        var world = World.live(log: .silent)
        world.sleep = { _ in try await Task.sleep(for: .milliseconds(5)) }
        let network = CrowdedTransport()
        let connection = ServerConnection(
            transport: network, credentials: .nobody, world: world)
        let scratch = try ScratchFile(someBytes(size, seed: 1))
        let content = OutgoingFile(scratch.file, size: Int64(size)) { _ in network.note() }

        await #expect(throws: (any Error).self) {
            try await ContentUpload(connection, domain: "Work", content)
                .replace("item", base: .any)
        }
        #expect(network.movesMeanwhile >= CrowdedTransport.enough)
    }
}

/// A network on which contents wait for a place, until whoever sends them was seen to move, or for a second.
private final class CrowdedTransport: Transport {
    static let enough = 3

    private let moves = Mutex((all: 0, before: Int?.none))

    func note() { moves.withLock { $0.all += 1 } }

    var movesMeanwhile: Int { moves.withLock { $0.all - ($0.before ?? $0.all) } }

    func send(
        _ request: TransportRequest,
        consumer: (TransportResponse, [UInt8]) async throws -> Void
    ) async throws(TransportError) -> TransportResponse {
        guard request.target.hasSuffix("/missing") else {
            moves.withLock { $0.before = $0.before ?? $0.all }
            for _ in 0..<200 where movesMeanwhile < Self.enough {
                // Whoever is cancelled need not wait.
                try? await Task.sleep(for: .milliseconds(5))
            }
            throw .noRoute
        }
        let asked = try request.body.read(at: 0, upTo: Int(request.body.length))
        let answer = String(decoding: asked, as: UTF8.self).replacing("hashes", with: "missing")
        let head = TransportResponse(
            status: 200, headers: [.init(name: "content-type", value: "application/json")])
        do {
            try await consumer(head, Array(answer.utf8))
        } catch {
            throw .consumer(error)
        }
        return head
    }
}
