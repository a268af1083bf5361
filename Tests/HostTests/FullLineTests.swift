import BasketSupport
import Testing

@testable import FileProviderReplica

@Suite("Who waits outside of a full line")
struct FullLineTests {
    private static func due(_ replica: Replica) throws -> [NodeID] {
        try replica.read { try $0.nextTurns(at: Timestamp(nanoseconds: 0), limit: 10) }
    }

    @Test("is not looked at before there is room, and comes in by turn")
    func turns() async throws {
        try await TemporaryReplica.with { replica in
            let nodes = try await replica.write { transaction in
                let nodes = try ["a", "b", "c"].map {
                    try transaction.make($0, in: .root, kind: .folder)
                }
                for id in nodes.reversed() { try transaction.wait(id, outside: 3) }
                return nodes
            }
            #expect(try Self.due(replica) == [])
            #expect(try replica.read { try $0.waiting(outside: 2, limit: 10) } == [])
            let next = try replica.read { try $0.waiting(outside: 3, limit: 2) }
            #expect(next == Array(nodes.prefix(2)))

            try await replica.write { try $0.letIn(next) }

            #expect(try Self.due(replica) == next)
            #expect(try replica.read { try $0.waiting(outside: 3, limit: 10) } == [nodes[2]])
        }
    }

    @Test("is looked at at once when it has changed")
    func change() async throws {
        try await TemporaryReplica.with { replica in
            let id = try await replica.write { transaction in
                let id = try transaction.make("a", in: .root, kind: .folder)
                try transaction.wait(id, outside: 1)
                return id
            }
            _ = try await replica.write { transaction in
                try transaction.update(id) { $0.trees.local?.name = "b" }
            }
            #expect(try Self.due(replica) == [id])
            #expect(try replica.read { try $0.waiting(outside: 1, limit: 10) } == [])
        }
    }

    @Test("goes before who asks later, in its own line")
    func order() async throws {
        try await TemporaryReplica.with { replica in
            let nodes = try await replica.write { transaction in
                try ["a", "b", "c"].map { try transaction.make($0, in: .root, kind: .folder) }
            }
            try await replica.write { try $0.wait(nodes[1], outside: 3) }
            func hasEarlier(_ id: NodeID, _ line: Int) throws -> Bool {
                try replica.read { try $0.hasEarlier(than: id, outside: line) }
            }
            #expect(try !hasEarlier(nodes[0], 3))
            #expect(try hasEarlier(nodes[2], 3))
            #expect(try !hasEarlier(nodes[2], 2))
        }
    }

    @Test("waits on where the replica is opened anew, and who waits for another node is looked at")
    func opening() async throws {
        try await TemporaryReplica.with { replica in
            let nodes = try await replica.write { transaction in
                let nodes = try ["a", "b", "c"].map {
                    try transaction.make($0, in: .root, kind: .folder)
                }
                try transaction.wait(nodes[0], outside: 3)
                try transaction.wait(nodes[1], for: nodes[2])
                return nodes
            }
            #expect(try Self.due(replica) == [nodes[2]])
            try await replica.write { try $0.forgetUnfinished() }
            #expect(try Self.due(replica) == [nodes[1], nodes[2]])
            #expect(try replica.read { try $0.waiting(outside: 3, limit: 10) } == [nodes[0]])
        }
    }
}
