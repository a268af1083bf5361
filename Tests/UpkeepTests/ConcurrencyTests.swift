import BasketModels
import BasketSupport
import BasketUpkeep
import Synchronization
import Testing

@Suite("Beside running requests", .timeLimit(.minutes(60)))
struct ConcurrencyTests {
    @Test("a collection and a check get in nobody's way")
    func together() async throws {
        let server = try await TestServer()
        // Files are dated by the machine's clock.
        server.clock.set(World.live(log: .silent).now())
        let working = Working()
        try await withThrowingTaskGroup { group in
            for person in UInt64(1)...3 {
                group.addTask {
                    defer { working.count.withLock { $0 -= 1 } }
                    try await Self.work(person, on: server)
                }
            }
            group.addTask {
                var moved = 0
                var rounds = 0
                // Where writes are slow, the first collections find nothing that anybody has left.
                while rounds < 25 || working.count.withLock({ $0 > 0 }) {
                    moved += try await server.collect(.test).chunksMoved
                    rounds += 1
                    await Task.yield()
                }
                #expect(moved > 0)
            }
            group.addTask {
                for _ in 0..<10 {
                    let found = try await server.check()
                    #expect(found == [])
                }
            }
            try await group.waitForAll()
        }
        #expect(try await server.check() == [])
    }

    /// How many people have not done all of their work.
    private final class Working: Sendable {
        let count = Mutex(3)
    }

    private static func work(_ person: UInt64, on server: TestServer) async throws {
        var generator = SeededGenerator(seed: person)
        for round in UInt64(0)..<12 {
            let content = bytes(2000 + Int(generator.next() % 12_000), seed: round % 5)
            let id = try await server.put("p\(person)", content, isDelta: round % 2 == 0)
            #expect(try await server.contents(of: id) == content)
            let shorter = Array(content[..<(content.count / 3)])
            try await server.replace(id, shorter)
            #expect(try await server.contents(of: id) == shorter)
            if round % 4 == 0 { try await server.delete(id) }
        }
    }
}
