import BasketBlobs
import BasketContent
import BasketDatabase
import BasketModels
import BasketStore
import BasketSupport
import BasketUpkeep
import Testing

@Suite("A disk that runs full")
struct DiskReliefTests {
    /// A reserve of 20,000 bytes, and as much again, are to be free of 100,000.
    private static func server() async throws -> TestServer {
        try await TestServer(capacity: 100_000, reserve: 20_000)
    }

    /// Lets time pass until it is done.
    private func relieve(
        _ server: TestServer, isBeingCopied: Bool = false
    ) async throws -> DiskRelief.Outcome {
        let relief = DiskRelief(
            store: server.store, blobs: server.blobs, policy: .test,
            isBeingCopied: { isBeingCopied })
        server.clock.advance(.seconds(1))
        return try await withThrowingTaskGroup(of: DiskRelief.Outcome?.self) { group in
            group.addTask { try await relief.run() }
            group.addTask {
                while !Task.isCancelled {
                    server.clock.advance(.seconds(1))
                    await Task.yield()
                }
                return nil
            }
            defer { group.cancelAll() }
            return try #require(await group.next() ?? nil)
        }
    }

    /// Files of 10,000 bytes each, deleted one after another.
    private func deletedFiles(_ count: Int, in server: TestServer) async throws -> [ItemID] {
        var items: [ItemID] = []
        for index in 0..<count {
            items.append(try await server.put("\(index)", bytes(10_000, seed: UInt64(index))))
        }
        for item in items {
            server.clock.advance(.seconds(60))
            try await server.delete(item)
        }
        return items
    }

    private func isHeld(_ item: ItemID, in server: TestServer) throws -> Bool {
        try server.store.read {
            try $0.value("SELECT content FROM item WHERE id = ?", item, of: Int64.self)
        } != nil
    }

    @Test("is left alone while there is room")
    func room() async throws {
        let server = try await Self.server()
        let items = try await deletedFiles(6, in: server)

        #expect(try await relieve(server) == .notNeeded)

        for item in items { #expect(try isHeld(item, in: server)) }
        #expect(try await server.blobFiles().count == 6)
    }

    @Test("is relieved of what was deleted longest ago, and of no more than is missing")
    func deleted() async throws {
        let server = try await Self.server()
        let kept = try await server.put("kept", bytes(25_000, seed: 99))
        let items = try await deletedFiles(5, in: server)

        #expect(try await relieve(server) == .eased)

        #expect(try await server.blobs.missingBytes() == 0)
        #expect(try items.map { try isHeld($0, in: server) } == [false, false, true, true, true])
        #expect(try await server.contents(of: kept) == bytes(25_000, seed: 99))
        #expect(try await server.check() == [])
        #expect(try await relieve(server) == .notNeeded)
    }

    @Test("is relieved of earlier versions in the same order")
    func versions() async throws {
        let server = try await Self.server()
        let file = try await server.put("a", bytes(20_000, seed: 1))
        try await server.replace(file, bytes(20_000, seed: 2))
        server.clock.advance(.seconds(1))
        try await server.delete(try await server.put("b", bytes(20_000, seed: 3)))
        server.clock.advance(.seconds(1))
        try await server.replace(file, bytes(20_000, seed: 4))

        #expect(try await relieve(server) == .eased)

        // 20,000 were missing: the first version went, before what was deleted and the second one.
        #expect(try server.count("version") == 1)
        #expect(try server.count("content") == 3)
        #expect(try await server.contents(of: file) == bytes(20_000, seed: 4))
        #expect(try await server.check() == [])
    }

    @Test("is relieved of a deleted domain")
    func domain() async throws {
        let server = try await Self.server()
        for index in 0..<7 {
            try await server.put("\(index)", bytes(10_000, seed: UInt64(index)))
        }
        try await server.write { try $0.deleteDomain($1) }

        #expect(try await relieve(server) == .eased)

        #expect(try await server.blobFiles() == [])
        #expect(try await server.check() == [])
    }

    @Test("keeps the chunks of uploads that are under way")
    func uploads() async throws {
        let server = try await Self.server()
        let sent = bytes(1024, seed: 5)
        _ = try await deletedFiles(7, in: server)
        try await server.send(sent)
        let domain = try server.domain()

        #expect(try await relieve(server) == .eased)

        let limit = (server.clock.now - .seconds(24 * 3600)).nanoseconds
        #expect(
            try server.store.read {
                try $0.hasChunk(ContentHash(of: sent), in: domain, deadSince: limit)
            })
        #expect(try await server.blobs.missingBytes() == 0)
    }

    @Test("is not relieved of anything while a backup copies it")
    func backup() async throws {
        let server = try await Self.server()
        let items = try await deletedFiles(8, in: server)

        #expect(try await relieve(server, isBeingCopied: true) == .nothingToGo)

        for item in items { #expect(try isHeld(item, in: server)) }
        #expect(try await relieve(server) == .eased)
    }

    @Test("is told of what went in vain, because others hold the same bytes")
    func shared() async throws {
        let server = try await Self.server()
        let same = bytes(70_000, seed: 1)
        let kept = try await server.put("kept", same)
        for index in 0..<3 { try await server.delete(try await server.put("copy\(index)", same)) }

        #expect(try await relieve(server) == .inVain)

        // One copy was as much as was missing; the others stay.
        #expect(try server.count("item WHERE deleted IS NOT NULL AND content IS NOT NULL") == 2)
        #expect(try await server.contents(of: kept) == same)
        #expect(try await server.check() == [])
    }

    @Test("has nothing to go when all is in use")
    func full() async throws {
        let server = try await Self.server()
        for index in 0..<7 {
            try await server.put("\(index)", bytes(10_000, seed: UInt64(index)))
        }

        #expect(try await relieve(server) == .nothingToGo)
        #expect(try await server.blobFiles().count == 7)
    }

    @Test("is relieved of small contents for the room that they leave in the database")
    func small() async throws {
        let server = try await Self.server()
        for index in 0..<7 {
            try await server.put("\(index)", bytes(10_000, seed: UInt64(index)))
        }
        try await server.delete(try await server.put("small", [1, 2, 3]))

        #expect(try await relieve(server) == .eased)

        #expect(try server.count("content WHERE data IS NOT NULL") == 0)
        #expect(try await server.check() == [])
    }

    @Test("is relieved by housekeeping, as long as it takes")
    func housekeeping() async throws {
        let server = try await Self.server()
        let items = try await deletedFiles(8, in: server)
        let keeper = Housekeeping(
            store: server.store, blobs: server.blobs, rules: { Housekeeping.Rules(policy: .test) },
            isBeingCopied: { false }, takeUsedDevices: { [] })

        try await withThrowingTaskGroup { group in
            group.addTask { await keeper.run() }
            var rounds = 0
            while try await server.blobs.missingBytes() > 0, rounds < 20_000 {
                server.clock.advance(.seconds(1))
                await Task.yield()
                rounds += 1
            }
            group.cancelAll()
        }

        #expect(try await server.blobs.missingBytes() == 0)
        #expect(try isHeld(items[7], in: server))
        #expect(try await server.check() == [])
    }
}
