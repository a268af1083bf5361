import Synchronization
import Testing

@testable import FileProviderHost

@Suite("A gate", .timeLimit(.minutes(60)))
struct GateTests {
    private final class Order: Sendable {
        private let names = Mutex<[String]>([])
        var all: [String] { names.withLock { $0 } }
        func add(_ name: String) { names.withLock { $0.append(name) } }
    }

    @Test("lets somebody in alone once nobody else is inside, and others again afterwards")
    func alone() async throws {
        let gate = Gate()
        #expect(gate.enter())
        let order = Order()
        let waiting = Task { try await gate.alone { order.add("alone") } }
        while gate.enter() {
            gate.leave()
            await Task.yield()
        }
        order.add("inside")
        gate.leave()
        try await waiting.value
        #expect(order.all == ["inside", "alone"])
        #expect(gate.enter())
    }

    @Test("is left by who is cancelled while he waits")
    func cancellation() async throws {
        let gate = Gate()
        #expect(gate.enter())
        let waiting = Task { try await gate.alone { Issue.record("he was let in") } }
        while gate.enter() {
            gate.leave()
            await Task.yield()
        }
        let next = Task { try await gate.waitUntilOpen() }
        next.cancel()
        await #expect(throws: CancellationError.self) { try await next.value }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }

        #expect(gate.enter())
        gate.leave()
        gate.leave()
        try await gate.waitUntilOpen()
        #expect(try await gate.alone { true })
    }
}
