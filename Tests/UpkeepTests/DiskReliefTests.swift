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
    /// A server whose reserve is 20,000 of 100,000 bytes, and what makes room for it.
    private final class Scene {
        let disk = SmallDisk(capacity: 100_000)
        let server: TestServer
        let grace: UploadGrace
        var isBeingCopied = false
        private var relief: DiskRelief

        init() async throws {
            server = try await TestServer(disk: disk, reserve: 20_000)
            grace = UploadGrace(uptime: server.world.uptime)
            relief = DiskRelief(store: server.store, blobs: server.blobs, grace: grace)
        }

        /// What happens within so much time.
        func pass(_ time: Duration) async throws {
            for _ in 0..<Int(time / .seconds(15)) {
                try await relief.run(.test) { [isBeingCopied] in isBeingCopied }
                server.clock.advance(.seconds(15))
            }
        }

        func put(_ name: String, _ count: Int, seed: UInt64) async throws -> ItemID {
            try await server.put(name, bytes(count, seed: seed))
        }

        /// Files of 10,000 bytes each, deleted one after another.
        func deletedFiles(_ count: Int) async throws -> [ItemID] {
            var items: [ItemID] = []
            for index in 0..<count {
                items.append(try await put("\(index)", 10_000, seed: UInt64(index)))
            }
            for item in items {
                server.clock.advance(.seconds(60))
                try await server.delete(item)
            }
            return items
        }

        func isHeld(_ item: ItemID) throws -> Bool {
            try server.store.read {
                try $0.value("SELECT content FROM item WHERE id = ?", item, of: Int64.self)
            } != nil
        }

        func missing() async throws -> Int64 { try await server.blobs.missingBytes() }
    }

    @Test("is left alone while there is room")
    func room() async throws {
        let scene = try await Scene()
        let items = try await scene.deletedFiles(7)

        try await scene.pass(.seconds(4 * 3600))

        #expect(try items.allSatisfy { try scene.isHeld($0) })
        #expect(try await scene.server.blobFiles().count == 7)
        #expect(!scene.grace.isDiskShort)
    }

    @Test("is relieved of what was deleted longest ago, and of no more than is missing")
    func deleted() async throws {
        let scene = try await Scene()
        let kept = try await scene.put("kept", 39_000, seed: 99)
        let items = try await scene.deletedFiles(4)
        #expect(try await scene.missing() == 4000)

        try await scene.pass(.seconds(900))
        #expect(try items.allSatisfy { try scene.isHeld($0) }, "nothing goes in a hurry")
        try await scene.pass(.seconds(1800))

        #expect(try await scene.missing() == 0)
        #expect(try items.map { try scene.isHeld($0) } == [false, true, true, true])
        #expect(try await scene.server.contents(of: kept) == bytes(39_000, seed: 99))
        #expect(try await scene.server.check() == [])
        try await scene.pass(.seconds(4 * 3600))
        #expect(try items.filter { try scene.isHeld($0) }.count == 3)
    }

    @Test("is relieved first of what nobody bears")
    func dead() async throws {
        let scene = try await Scene()
        let old = try await scene.deletedFiles(1)
        let file = try await scene.put("a", 40_000, seed: 20)
        try await scene.server.damage("UPDATE domain SET quota = 60000")
        try await scene.server.replace(file, bytes(1000, seed: 21))
        _ = try await scene.put("b", 29_000, seed: 22)
        // The first content of `a`, which is younger than what was deleted, went for the quota only…
        try await scene.server.damage("UPDATE domain SET quota = NULL")
        let isOldHeld = try scene.isHeld(old[0])

        try await scene.pass(.seconds(1200))

        // …and gives its room before anything more goes.
        #expect(try await scene.missing() == 0)
        #expect(try scene.isHeld(old[0]) == isOldHeld)
        #expect(try await scene.server.check() == [])
    }

    @Test("is relieved of a deleted domain")
    func domain() async throws {
        let scene = try await Scene()
        for index in 0..<8 { _ = try await scene.put("\(index)", 10_000, seed: UInt64(index)) }
        try await scene.server.write { try $0.deleteDomain($1) }

        try await scene.pass(.seconds(1800))

        #expect(try await scene.server.blobFiles() == [])
        #expect(try await scene.server.check() == [])
    }

    @Test("keeps what uploads were told, for as long as it says")
    func told() async throws {
        let scene = try await Scene()
        let server = scene.server
        let sent = bytes(1024, seed: 77)
        _ = try await scene.deletedFiles(7)
        try await server.send(sent)
        server.clock.advance(.seconds(3 * 3600))
        _ = try await scene.put("more", 8000, seed: 78)
        let domain = try server.domain()
        func isTold() throws -> Bool {
            let grace = scene.grace.telling(.seconds(24 * 3600))
            let limit = (server.clock.now - grace).nanoseconds
            return try server.store.read {
                try $0.hasChunk(ContentHash(of: sent), in: domain, deadSince: limit)
            }
        }
        func isThere() throws -> Bool {
            try server.store.read { try $0.chunkPlace(ContentHash(of: sent), in: domain) } != nil
        }
        #expect(try isTold())

        // From the first look on, it is not told any more, but it is there for who was told before.
        try await scene.pass(.seconds(270))
        #expect(try !isTold())
        #expect(try isThere())
        try await scene.pass(.seconds(60))
        #expect(try !isThere())
    }

    @Test("keeps what holds somebody's conflict")
    func conflict() async throws {
        let scene = try await Scene()
        let file = try await scene.put("a", 30_000, seed: 1)
        let server = scene.server
        let mine = try await server.stage(bytes(30_000, seed: 2))
        try await server.write { transaction, domain in
            _ = try transaction.replaceContent(
                of: file, with: mine, condition: .baseOrKeep(Version(rawValue: 1)), in: domain)
        }
        try await server.delete(file)
        _ = try await scene.put("b", 19_000, seed: 3)

        try await scene.pass(.seconds(4 * 3600))

        #expect(try scene.isHeld(file))
    }

    @Test("loses no more than once what gives nothing back")
    func inVain() async throws {
        let scene = try await Scene()
        let items = try await scene.deletedFiles(8)
        scene.disk.takeSnapshot()

        try await scene.pass(.seconds(5 * 3600))

        #expect(try items.filter { try scene.isHeld($0) }.count == 7)
        try await scene.pass(.seconds(2 * 3600))
        #expect(try items.filter { try scene.isHeld($0) }.count == 6)
    }

    @Test("lets go of history during a backup once only, whose files stay for an hour")
    func backup() async throws {
        let scene = try await Scene()
        let items = try await scene.deletedFiles(8)
        scene.isBeingCopied = true

        try await scene.pass(.seconds(3600))

        #expect(try await scene.server.blobFiles().count == 8)
        #expect(try items.filter { try scene.isHeld($0) }.count == 7)
        scene.isBeingCopied = false
        try await scene.pass(.seconds(3600))
        #expect(try await scene.missing() == 0)
        #expect(try await scene.server.check() == [])
    }

    @Test("has nothing to go when all is in use")
    func full() async throws {
        let scene = try await Scene()
        for index in 0..<8 { _ = try await scene.put("\(index)", 10_000, seed: UInt64(index)) }

        try await scene.pass(.seconds(4 * 3600))

        #expect(try await scene.server.blobFiles().count == 8)
        #expect(scene.grace.isDiskShort)
    }

    @Test("is relieved by housekeeping")
    func housekeeping() async throws {
        let scene = try await Scene()
        let items = try await scene.deletedFiles(8)
        let server = scene.server
        let keeper = Housekeeping(
            store: server.store, blobs: server.blobs, rules: { Housekeeping.Rules(policy: .test) },
            isBeingCopied: { false }, uploadGrace: scene.grace, takeUsedDevices: { [] })

        try await withThrowingTaskGroup { group in
            group.addTask { await keeper.run() }
            var rounds = 0
            while try await server.blobs.missingBytes() > 0, rounds < 200_000 {
                server.clock.advance(.seconds(1))
                await Task.yield()
                rounds += 1
            }
            group.cancelAll()
        }

        #expect(try await scene.missing() == 0)
        #expect(try scene.isHeld(items[7]))
        #expect(try await server.check() == [])
    }
}
