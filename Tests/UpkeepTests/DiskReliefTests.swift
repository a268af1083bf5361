import BasketBlobs
import BasketContent
import BasketDatabase
import BasketModels
import BasketStore
import BasketSupport
import BasketUpkeep
import Testing

@Suite("A disk that runs full", .timeLimit(.minutes(60)))
struct DiskReliefTests {
    /// A server whose reserve is 20,000 of 100,000 bytes, and what makes room for it.
    private final class Scene {
        let disk = SmallDisk(capacity: 100_000)
        let server: TestServer
        var isBeingCopied = false
        private var relief: DiskRelief

        init() async throws {
            server = try await TestServer(disk: disk, reserve: 20_000)
            relief = DiskRelief(store: server.store, blobs: server.blobs)
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

        func isShort() async throws -> Bool { try await server.blobs.shortage().isShort }
        func missing() async throws -> Int64 { try await server.blobs.shortage().missing }
    }

    @Test("is left alone while there is room")
    func room() async throws {
        let scene = try await Scene()
        let items = try await scene.deletedFiles(7)

        try await scene.pass(.seconds(4 * 3600))

        #expect(try items.allSatisfy { try scene.isHeld($0) })
        #expect(try await scene.server.blobFiles().count == 7)
        #expect(try await !scene.isShort())
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
        let file = try await scene.put("a", 40_000, seed: 20)
        try await scene.server.replace(file, bytes(1000, seed: 21))
        try await scene.server.damage("DELETE FROM version")
        try await scene.server.damage("UPDATE domain SET history = 0")
        try await scene.server.damage("UPDATE content SET refs = 0, dead = 1 WHERE size = 40000")
        let deleted = try await scene.deletedFiles(1)
        _ = try await scene.put("b", 28_000, seed: 22)
        #expect(try await scene.isShort())

        try await scene.pass(.seconds(4 * 3600))

        #expect(try await scene.missing() == 0)
        #expect(try scene.isHeld(deleted[0]))
        #expect(try await scene.server.check() == [])
    }

    @Test("is not relieved of what others bear as well, but of what was deleted after it")
    func copies() async throws {
        let scene = try await Scene()
        let same = bytes(30_000, seed: 99)
        let first = try await scene.server.put("a", same)
        let second = try await scene.server.put("b", same)
        try await scene.server.delete(first)
        try await scene.server.delete(second)
        let items = try await scene.deletedFiles(5)

        try await scene.pass(.seconds(4 * 3600))

        #expect(try await scene.missing() == 0)
        #expect(try scene.isHeld(first) && scene.isHeld(second))
        #expect(try items.map { try scene.isHeld($0) } == [false, true, true, true, true])
    }

    @Test("is relieved again, as often as it runs full")
    func again() async throws {
        let scene = try await Scene()
        // What goes is much more than what is missing, and all of it comes back.
        try await scene.server.delete(try await scene.put("old", 40_000, seed: 50))
        let young = try await scene.put("young", 30_000, seed: 51)
        try await scene.server.delete(young)
        for round in 0..<2 {
            var index = 0
            while try await !scene.isShort() {
                index += 1
                let seed = UInt64(100 + round * 50 + index)
                let isTaken = try? await scene.put("new \(round) \(index)", 4000, seed: seed)
                if isTaken == nil { break }
            }
            try await scene.pass(.seconds(2 * 3600))
            #expect(try await scene.missing() == 0, "round \(round)")
        }
        #expect(try !scene.isHeld(young))
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

    @Test("keeps what was sent ahead, for as long as ever")
    func sentAhead() async throws {
        let scene = try await Scene()
        let server = scene.server
        let sent = bytes(1024, seed: 77)
        _ = try await scene.deletedFiles(7)
        try await server.send(sent)
        _ = try await scene.put("more", 8000, seed: 78)
        #expect(try await scene.isShort())

        try await scene.pass(.seconds(20 * 3600))

        let domain = try server.domain()
        #expect(try await scene.missing() == 0)
        #expect(
            try server.store.read { try $0.chunkPlace(ContentHash(of: sent), in: domain) } != nil)
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

    @Test("loses no more than three times, in six hours, what gives nothing back")
    func inVain() async throws {
        let scene = try await Scene()
        let items = try await scene.deletedFiles(8)
        scene.disk.takeSnapshot()

        try await scene.pass(.seconds(6 * 3600))

        #expect(try items.filter { try scene.isHeld($0) }.count == 5)
        try await scene.pass(.seconds(2 * 3600))
        #expect(try items.filter { try scene.isHeld($0) }.count == 2)
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
        #expect(try await scene.isShort())
    }

    @Test("is relieved by housekeeping")
    func housekeeping() async throws {
        let scene = try await Scene()
        let items = try await scene.deletedFiles(8)
        let server = scene.server
        let keeper = Housekeeping(
            store: server.store, blobs: server.blobs, rules: { Housekeeping.Rules(policy: .test) },
            isBeingCopied: { false }, takeUsedDevices: { [] })

        try await withThrowingTaskGroup { group in
            group.addTask { await keeper.run() }
            var rounds = 0
            while try await server.blobs.shortage().missing > 0, rounds < 200_000 {
                try await server.clock.keepersRest()
                server.clock.advance(.seconds(1))
                rounds += 1
            }
            group.cancelAll()
        }

        #expect(try await scene.missing() == 0)
        #expect(try scene.isHeld(items[7]))
        #expect(try await server.check() == [])
    }
}
