import BasketBlobs
import BasketContent
import BasketDatabase
import BasketModels
import BasketStore
import BasketSupport
import BasketUpkeep
import Synchronization
import Testing

@Suite("A collection")
struct CollectorTests {
    static let day = Duration.seconds(86_400)

    @Test("leaves a busy server as it is")
    func keeps() async throws {
        let server = try await CheckTests.busyServer()
        let before = try await server.blobFiles()

        let summary = try await server.collect()

        #expect(summary.didNothing, "\(summary)")
        #expect(try await server.blobFiles() == before)
        #expect(try await server.check() == [])
    }

    @Test("takes back, in time, what a deleted file held")
    func deletedFile() async throws {
        let server = try await TestServer()
        let item = try await server.put("a", bytes(20_000, seed: 1))
        try await server.delete(item)
        // The content can be brought back for thirty days, then nobody bears it; chunks wait twice
        // the grace; the file, some minutes.
        for wait in [Self.day * 31, Self.day * 2, Self.day * 3, Self.day] {
            #expect(try await server.blobFiles().count == 1)
            server.clock.advance(wait)
            _ = try await server.collect()
            #expect(try await server.check() == [])
        }

        #expect(try await server.blobFiles() == [])
        for table in ["content", "content_chunk", "chunk", "blob"] {
            #expect(try server.count(table) == 0, "\(table)")
        }
    }

    @Test("of a stopped server, without a grace, is done in one run while the clock runs")
    func now() async throws {
        let server = try await TestServer()
        let kept = try await server.put("kept", bytes(3000, seed: 2))
        let item = try await server.put("a", bytes(20_000, seed: 1))
        try await server.delete(item)
        let ticks = Mutex(server.clock.now + .seconds(1))
        var world = server.world
        world.now = {
            ticks.withLock { now in
                now = now + .milliseconds(2)
                return now
            }
        }
        let store = try await Store(
            path: server.folder.database,
            writer: InlineWriter(try Store.openConnection(server.folder.database)), world: world)
        defer { store.close() }

        let summary = try await Collector(
            store: store, blobs: server.blobs,
            policy: .offline(
                retention: RetentionPolicy(deletedContents: .milliseconds(1)), chunkGrace: .zero),
            isBeingCopied: { false }
        ).run()

        #expect(summary.bytesFreed == 20_000)
        #expect(try await server.blobFiles().count == 1)
        #expect(try await server.contents(of: kept) == bytes(3000, seed: 2))
        #expect(try await server.check() == [])
    }

    @Test("keeps chunks that an upload was told to be there")
    func uploadedChunks() async throws {
        let server = try await TestServer()
        let piece = bytes(1024, seed: 1)
        try await server.send(piece)

        server.clock.advance(.seconds(23 * 3600))
        _ = try await server.collect()
        // Asked for now, it must be there for another day.
        let domain = try server.domain()
        let limit = (server.clock.now - .seconds(24 * 3600)).nanoseconds
        let hash = ContentHash(of: piece)
        #expect(try server.store.read { try $0.hasChunk(hash, in: domain, deadSince: limit) })
        server.clock.advance(.seconds(24 * 3600))
        _ = try await server.collect()
        #expect(try server.store.read { try $0.chunkPlace(hash, in: domain) } != nil)

        server.clock.advance(.seconds(2 * 3600))
        _ = try await server.collect()
        #expect(try server.store.read { try $0.chunkPlace(hash, in: domain) } == nil)
    }

    @Test("takes a large content apart in steps, and no upload finds it half gone")
    func largeContent() async throws {
        let server = try await TestServer()
        let item = try await server.put("a", bytes(30_000, seed: 1))
        try await server.delete(item)
        server.clock.advance(Self.day * 31)
        _ = try await server.collect()
        server.clock.advance(Self.day * 2)
        let limit = server.clock.now - Self.day

        let step = try await server.store.write {
            try $0.forgetContents(deadSince: limit, steps: 10)
        }
        #expect(!step.isDone)
        #expect(try server.count("content_chunk") == 20)
        #expect(try await server.check() == [])
        let again = try await server.put("b", bytes(30_000, seed: 1))
        #expect(try await server.contents(of: again) == bytes(30_000, seed: 1))
        _ = try await server.collect()

        #expect(try await server.contents(of: again) == bytes(30_000, seed: 1))
        #expect(try server.count("content") == 1)
        #expect(try await server.check() == [])
    }

    @Test("mends a count instead of believing that something in use is dead")
    func wrongCounts() async throws {
        let server = try await TestServer()
        let item = try await server.put("a", bytes(20_000, seed: 1))
        try await server.damage("UPDATE content SET refs = 0, dead = 1")
        try await server.damage("UPDATE chunk SET refs = 0, dead = 1")

        let summary = try await server.collect()

        #expect(summary.countsMended == 21)
        #expect(try await server.contents(of: item) == bytes(20_000, seed: 1))
        #expect(try await server.check() == [])
    }

    @Test("removes files that no row names, once they are old")
    func leftovers() async throws {
        let server = try await TestServer()
        server.clock.set(World.live(log: .silent).now())
        _ = try await server.stage(bytes(3000, seed: 1))

        for wait in [Duration.seconds(3000), .seconds(900), .seconds(700)] {
            #expect(try await server.blobFiles().count == 1)
            server.clock.advance(wait)
            _ = try await server.collect()
        }
        #expect(try await server.blobFiles() == [])
    }

    @Test("takes away what it can beside what it cannot", arguments: ["entry", "folder", "pipe"])
    func foreignEntry(kind: String) async throws {
        let server = try await TestServer()
        let files = LinuxFileSystem()
        let gone = try await server.put("a", bytes(3000, seed: 1))
        let blob = try #require(try await server.blobFiles().first)
        let kept = try await server.put("b", bytes(3000, seed: 2))
        try await server.delete(gone)
        switch kind {
        case "entry": _ = try files.create("\(server.folder.path)/blobs/ab")
        case "folder":
            // With something in it, so that it cannot be removed, and listed before the blob's file.
            let id = BlobID(rawValue: 0)
            try files.makeFolder(server.blobPath(id) + "/inside")
        default: try FileDamage.makePipe(server.blobPath(BlobID(rawValue: 0)))
        }

        for _ in 0..<3 { _ = try await server.collect(.atOnce) }

        #expect(!files.exists(server.blobPath(blob)))
        #expect(try await server.contents(of: kept) == bytes(3000, seed: 2))
        #expect(try await server.check().allSatisfy { $0.severity == .leak })
        #expect(try await server.collect(.atOnce).filesLeft == (kind == "folder" ? 1 : 0))
    }

    @Test("does its other parts when one fails")
    func failingPart() async throws {
        let server = try await TestServer()
        try await server.put("a", bytes(3000, seed: 1))
        try await server.write { try $0.deleteDomain($1) }
        // Retention stumbles over this each time.
        try await server.damage("ALTER TABLE idempotency RENAME TO lost")

        for _ in 0..<3 {
            await #expect(throws: (any Error).self) { try await server.collect(.atOnce) }
        }

        #expect(try await server.blobFiles() == [])
    }

    @Test("rewrites what it can read", .timeLimit(.minutes(60)))
    func unreadableBlob() async throws {
        let server = try await TestServer()
        var blobs: [BlobID] = []
        for seed in UInt64(1)...3 {
            let item = try await server.put("a", bytes(20_000, seed: seed))
            let new = try await server.blobFiles().filter { !blobs.contains($0) }
            blobs += new
            try await server.replace(item, Array(bytes(20_000, seed: seed)[..<5120]))
        }
        let first = try #require(blobs.min { $0.rawValue < $1.rawValue })
        try LinuxFileSystem().remove(server.blobPath(first))
        try FileDamage.makePipe(server.blobPath(first))

        let summary = try await server.collect(.atOnce)

        #expect(summary.chunksMoved == 10)
        #expect(summary.damagedChunks.count == 5)
    }

    @Test("refuses a request that names a file which was given up, and loses nothing")
    func lateCommit() async throws {
        let server = try await TestServer()
        server.clock.set(World.live(log: .silent).now())
        let content = try await server.stage(bytes(3000, seed: 1))
        server.clock.advance(Self.day * 2)
        _ = try await server.collect()

        await #expect(throws: (any Error).self) {
            try await server.write { transaction, domain in
                _ = try transaction.create(
                    ItemCreation(
                        parent: domain.root, name: "late", kind: .file, content: content),
                    in: domain)
            }
        }
        #expect(try await server.check() == [])
    }

    @Test("discards the blobs of a domain that was deleted")
    func deletedDomain() async throws {
        let server = try await TestServer()
        try await server.put("a", bytes(20_000, seed: 1))
        try await server.write { try $0.deleteDomain($1) }

        #expect(try await server.collect().blobsDiscarded == 1)
        #expect(try await server.blobFiles().count == 1)
        server.clock.advance(.seconds(700))
        let summary = try await server.collect()

        #expect(summary.filesRemoved == 1)
        #expect(summary.bytesFreed == 20_000)
        #expect(try await server.check() == [])
    }

    @Test("rewrites a blob that is mostly dead")
    func sparseBlob() async throws {
        let server = try await TestServer()
        let item = try await server.put("a", bytes(20_000, seed: 1))
        let short = Array(bytes(20_000, seed: 1)[..<5120])
        try await server.replace(item, short)
        let reader = try server.blobs.open(try #require(try await server.blobFiles().first))

        let summary = try await server.collect(.atOnce)

        #expect(summary.chunksMoved == 5)
        #expect(try await server.contents(of: item) == short)
        #expect(try reader.read(at: 0, count: 20_000) == bytes(20_000, seed: 1))
        let left = try await server.blobFiles()
        #expect(left.count == 1)
        #expect(try await server.blobs.facts(of: left[0]).size == 5120)
        #expect(try await server.check() == [])
        #expect(try await server.collect(.atOnce).chunksMoved == 0)
    }

    @Test("keeps the old file of what was moved while readers may be looking for it")
    func removalDelay() async throws {
        let server = try await TestServer()
        let item = try await server.put("a", bytes(20_000, seed: 1))
        try await server.replace(item, Array(bytes(20_000, seed: 1)[..<5120]))
        var policy = CollectionPolicy.atOnce
        policy.removalDelay = .seconds(600)

        #expect(try await server.collect(policy).chunksMoved == 5)
        #expect(try await server.blobFiles().count == 2)
        #expect(try await server.check() == [])
        server.clock.advance(.seconds(601))
        #expect(try await server.collect(policy).filesRemoved == 1)
        #expect(try await server.blobFiles().count == 1)
    }

    @Test("brings the chunks of a delta upload together, in the order of the content")
    func singleChunks() async throws {
        let server = try await TestServer()
        let start = bytes(4096, seed: 1)
        let middle = bytes(8192, seed: 2)
        let end = bytes(4096, seed: 3)
        let item = try await server.put("a", start + end)
        try await server.replace(item, start + middle + end, isDelta: true)
        #expect(try await server.blobFiles().count == 9)

        #expect(try await server.collect().chunksMoved == 8)
        server.clock.advance(.seconds(700))
        _ = try await server.collect()

        #expect(try await server.blobFiles().count == 2)
        #expect(try await server.contents(of: item) == start + middle + end)
        let domain = try server.domain()
        let content = try #require(try server.store.read { try $0.item(item, in: domain).content })
        var extents: [StoredContent.Extent] = []
        if case .extents(let found) = try server.store.read({ try $0.storedContent(content) }) {
            extents = found
        }
        #expect(extents.count == 3)
        #expect(try await server.check() == [])
    }

    @Test("leaves a damaged chunk where it is, and says so")
    func damagedChunk() async throws {
        let server = try await TestServer()
        let item = try await server.put("a", bytes(20_000, seed: 1))
        try await server.replace(item, Array(bytes(20_000, seed: 1)[..<5120]))
        let blob = try #require(try await server.blobFiles().first)
        try FileDamage.flip(server.blobPath(blob), at: 1500)

        let summary = try await server.collect(.atOnce)

        #expect(summary.chunksMoved == 4)
        #expect(summary.damagedChunks.count == 1)
        #expect(try await server.blobFiles().contains(blob))
        #expect(try await server.check().map(\.code) == ["chunk_damaged", "file_affected"])
    }

    @Test("applies retention")
    func retention() async throws {
        let server = try await TestServer()
        let item = try await server.put("a", bytes(600, seed: 1))
        for seed in UInt64(2)...20 {
            server.clock.advance(.seconds(3600))
            try await server.replace(item, bytes(600, seed: seed))
        }
        server.clock.advance(Self.day * 20)

        let summary = try await server.collect()

        #expect(summary.versionsDropped == 18 || summary.versionsDropped == 17)
        #expect(try await server.contents(of: item) == bytes(600, seed: 20))
        #expect(try await server.check() == [])
    }
}
