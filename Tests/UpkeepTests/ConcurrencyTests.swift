import BasketModels
import BasketSupport
import BasketUpkeep
import Testing

@Suite("Beside running requests")
struct ConcurrencyTests {
    @Test("a collection and a check get in nobody's way")
    func together() async throws {
        let server = try await TestServer()
        // Files are dated by the machine's clock.
        server.clock.set(World.live(log: .silent).now())
        try await withThrowingTaskGroup { group in
            for person in UInt64(1)...3 {
                group.addTask { try await Self.work(person, on: server) }
            }
            group.addTask {
                var moved = 0
                for _ in 0..<25 {
                    moved += try await server.collect(.test).chunksMoved
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
