import FileProviderReplica
import Synchronization
import Testing

@testable import FileProviderHost

@Suite("Gates of nodes", .timeLimit(.minutes(60)))
struct NodeGatesTests {
    private final class Room: Sendable {
        private let nodes = Mutex<Set<NodeID>>([])
        private let count = Mutex(0)

        var entries: Int { count.withLock { $0 } }

        func has(_ node: NodeID) -> Bool { nodes.withLock { $0.contains(node) } }

        /// - Returns: false when somebody is there.
        func enter(_ entering: Set<NodeID>) -> Bool {
            nodes.withLock { nodes in
                guard nodes.isDisjoint(with: entering) else { return false }
                nodes.formUnion(entering)
                return true
            }
        }

        func leave(_ leaving: Set<NodeID>) { nodes.withLock { $0.subtract(leaving) } }

        func note() { count.withLock { $0 += 1 } }
    }

    @Test("let nobody in where somebody is alone with some of them, and end, whatever the order")
    func alone() async throws {
        let gates = NodeGates()
        let nodes = (10..<14).map { NodeID(rawValue: $0) }
        let room = Room()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<400 {
                let (one, other) = (nodes[number % 4], nodes[(number * 7 + 1) % 4])
                group.addTask {
                    try await gates.alone([other, one, other]) {
                        let both = Set([one, other])
                        #expect(room.enter(both))
                        await Task.yield()
                        room.leave(both)
                    }
                }
                group.addTask {
                    try await gates.enter(one) {
                        #expect(!room.has(one))
                        room.note()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(room.entries == 400)
    }

    @Test("are left by who fails")
    func failure() async throws {
        struct Failure: Error {}
        let gates = NodeGates()
        let node = NodeID(rawValue: 10)
        await #expect(throws: Failure.self) { try await gates.alone([node]) { throw Failure() } }
        await #expect(throws: Failure.self) { try await gates.enter(node) { throw Failure() } }
        #expect(try await gates.enter(node) { true })
        #expect(try await gates.alone([node]) { true })
    }
}
