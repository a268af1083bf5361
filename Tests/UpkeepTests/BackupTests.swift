import BasketBlobs
import BasketDatabase
import BasketModels
import BasketStore
import BasketSupport
import BasketUpkeep
import Testing

@Suite("A backup")
struct BackupTests {
    private static func restored(
        _ server: TestServer, from backup: String
    ) async throws -> (server: TestServer, findings: [Finding]) {
        let home = try TestHome()
        let target = DataFolder(path: home.path + "/data")
        let findings = try await Restore(
            from: backup, into: target, world: server.world
        ).run(isDeep: true)
        return (try await TestServer(seed: 99, in: home), findings)
    }

    @Test("brings back the same tree, in new epochs", arguments: [false, true])
    func roundTrip(links: Bool) async throws {
        let server = try await CheckTests.busyServer()
        let large = try await server.put("more", bytes(20_000, seed: 9))
        let before = try server.domain()
        let name: Int64? = try server.store.read { try $0.value("SELECT name FROM server") }

        let manifest = try await Backup(
            of: server.folder, into: server.path("backup"), links: links, world: server.world
        ).run()
        server.clock.advance(.seconds(1))
        let (copy, findings) = try await Self.restored(server, from: server.path("backup"))

        #expect(findings == [])
        #expect(manifest.items == before.items)
        let after = try copy.domain()
        #expect(after.items == before.items)
        #expect(after.rank == before.rank)
        #expect(after.epoch != before.epoch)
        #expect(
            try copy.store.read { try $0.value("SELECT name FROM server", of: Int64.self) } != name)
        #expect(try await copy.contents(of: large) == bytes(20_000, seed: 9))
        // Numbers go on above those of the lost future.
        let lost = try await server.makeFolder("lost")
        copy.clock.set(server.clock.now)
        let new = try await copy.makeFolder("new")
        #expect(new > lost, "hours ahead")
    }

    @Test("of a server that writes and collects meanwhile is of one moment")
    func busy() async throws {
        let server = try await TestServer()
        var files: [ItemID: [UInt8]] = [:]
        for seed in UInt64(1)...10 {
            files[try await server.put("f\(seed)", bytes(6000, seed: seed))] = bytes(
                6000, seed: seed)
        }
        var seed: UInt64 = 100
        try await Backup(
            of: server.folder, into: server.path("backup"), world: server.world
        ).run { _ in
            for _ in 0..<5 {
                seed += 1
                let id = try await server.put("g", bytes(6000, seed: seed), isDelta: seed % 2 == 0)
                try await server.replace(id, bytes(3000, seed: seed), isDelta: true)
                _ = try await server.collect(.atOnce)
            }
        }

        let (copy, findings) = try await Self.restored(server, from: server.path("backup"))
        #expect(findings == [])
        for (id, content) in files { #expect(try await copy.contents(of: id) == content) }
    }

    @Test("copies the database again when a collection took a blob away from under it")
    func collectedMeanwhile() async throws {
        let server = try await TestServer()
        let short = Array(bytes(20_000, seed: 1)[..<5120])
        var item: ItemID?
        var copies = 0
        try await Backup(
            of: server.folder, into: server.path("backup"), world: server.world
        ).run { stage in
            switch stage {
            case .database:
                copies += 1
                guard copies == 1 else { return }
                let made = try await server.put("a", bytes(20_000, seed: 1))
                try await server.replace(made, short)
                item = made
            case .newBlobs:
                guard copies == 1 else { return }
                #expect(try await server.collect(.atOnce).chunksMoved == 5)
            default: break
            }
        }

        #expect(copies == 2)
        let (copy, findings) = try await Self.restored(server, from: server.path("backup"))
        #expect(findings == [])
        #expect(try await copy.contents(of: try #require(item)) == short)
    }

    @Test("comes to its end beside a server that takes away at once what it may")
    func beside() async throws {
        let server = try await TestServer()
        #expect(!server.folder.isBeingCopied)
        var copies = 0
        try await Backup(
            of: server.folder, into: server.path("backup"), world: server.world
        ).run { stage in
            #expect(server.folder.isBeingCopied)
            switch stage {
            case .database:
                copies += 1
                let item = try await server.put("a", bytes(20_000, seed: UInt64(copies)))
                let short = Array(bytes(20_000, seed: UInt64(copies))[..<5120])
                try await server.replace(item, short)
            case .newBlobs:
                // Rewritten, so that the database's copy names blobs that nothing needs any more.
                let isBeingCopied = server.folder.isBeingCopied
                for _ in 0..<3 {
                    _ = try await server.collect(.atOnce, isBeingCopied: isBeingCopied)
                }
            default: break
            }
        }

        #expect(copies == 1)
        #expect(!server.folder.isBeingCopied)
        let (_, findings) = try await Self.restored(server, from: server.path("backup"))
        #expect(findings == [])
        server.clock.advance(.seconds(1))
        #expect(try await server.collect(.atOnce).filesRemoved > 0)
    }

    @Test("gives up, and says so, where files go faster than they can be copied")
    func overtaken() async throws {
        let server = try await TestServer()
        let backup = Backup(
            of: server.folder, into: server.path("backup"), world: server.world)
        var seed: UInt64 = 0
        await #expect(throws: BackupError.overtaken(rounds: 10)) {
            try await backup.run { stage in
                switch stage {
                case .database:
                    seed += 1
                    let item = try await server.put("a", bytes(20_000, seed: seed))
                    try await server.replace(item, Array(bytes(20_000, seed: seed)[..<5120]))
                case .newBlobs: _ = try await server.collect(.atOnce)
                default: break
                }
            }
        }
    }

    @Test("into the same folder copies only what is new, and drops what is gone")
    func incremental() async throws {
        let server = try await TestServer()
        let folder = server.path("backup")
        let first = try await server.put("a", bytes(6000, seed: 1))
        let second = try await server.put("b", bytes(6000, seed: 2))
        try await Backup(of: server.folder, into: folder, world: server.world).run()
        let kept = try await server.blobFiles()
        let copies = try DataFolder(path: folder).openBlobsForReading(world: server.world)
        let dates = try await dates(of: kept, in: copies)

        try await server.delete(second)
        server.clock.advance(CollectorTests.day * 100)
        _ = try await server.collect(.atOnce)
        _ = try await server.collect(.atOnce)
        try await server.put("c", bytes(6000, seed: 3))
        try await Backup(of: server.folder, into: folder, world: server.world).run()

        let now = try await copies.list(after: nil, limit: 100)
        #expect(now == (try await server.blobFiles()))
        for blob in now where kept.contains(blob) {
            #expect(try await copies.facts(of: blob).modified == dates[blob])
        }
        let databases = try LinuxFileSystem().list(folder).filter { $0.hasSuffix(".db") }
        #expect(databases.count == 1)
        let (copy, findings) = try await Self.restored(server, from: folder)
        #expect(findings == [])
        #expect(try await copy.contents(of: first) == bytes(6000, seed: 1))
    }

    @Test("into the same folder copies anew what lost its end there")
    func cutOff() async throws {
        let server = try await TestServer()
        let folder = server.path("backup")
        let file = try await server.put("a", bytes(6000, seed: 1))
        try await Backup(of: server.folder, into: folder, world: server.world).run()
        let files = LinuxFileSystem()
        var waiting = [folder + "/blobs"]
        while let path = waiting.popLast() {
            if let names = try? files.list(path) {
                waiting += names.map { "\(path)/\($0)" }
            } else {
                try files.replace(path, with: [1, 2, 3])
            }
        }

        try await Backup(of: server.folder, into: folder, world: server.world).run()

        let (copy, findings) = try await Self.restored(server, from: folder)
        #expect(findings == [])
        #expect(try await copy.contents(of: file) == bytes(6000, seed: 1))
    }

    private func dates(
        of blobs: [BlobID], in store: FolderBlobStore
    ) async throws -> [BlobID: Timestamp] {
        var dates: [BlobID: Timestamp] = [:]
        for blob in blobs { dates[blob] = try await store.facts(of: blob).modified }
        return dates
    }

    @Test("that dies leaves the earlier one, or the new one, and nothing in between")
    func crash() async throws {
        let server = try await TestServer()
        let folder = server.path("backup")
        let first = try await server.put("a", bytes(3000, seed: 1))
        try await Backup(of: server.folder, into: folder, world: server.world).run()
        try await server.replace(first, bytes(3000, seed: 2))
        var deaths = 0
        while true {
            let mishap = Mishap()
            mishap.happen(after: deaths)
            let world = server.clock.world(files: MishapFileSystem(mishap))
            do {
                try await Backup(of: server.folder, into: folder, world: world).run()
            } catch {
                #expect(mishap.hasHappened, "\(error)")
            }
            let (copy, findings) = try await Self.restored(server, from: folder)
            #expect(findings == [], "died after \(deaths)")
            let content = try await copy.contents(of: first)
            #expect(content == bytes(3000, seed: 1) || content == bytes(3000, seed: 2))
            if !mishap.hasHappened { break }
            deaths += 1
        }
        #expect(deaths > 8)
    }

    @Test("refuses a folder that holds something else")
    func foreignFolder() async throws {
        let server = try await TestServer()
        let folder = server.path("photos")
        try LinuxFileSystem().makeFolder(folder)
        _ = try LinuxFileSystem().create(folder + "/cat.jpg")

        await #expect(throws: BackupError.notABackup(folder, name: "cat.jpg")) {
            try await Backup(of: server.folder, into: folder, world: server.world).run()
        }
    }

    @Test("copies everything but what the server has lost, and says what that is")
    func lostBlob() async throws {
        let server = try await TestServer()
        let folder = try await server.makeFolder("folder")
        let lost = try await server.put("a", bytes(3000, seed: 1), in: folder)
        let blob = try #require(try await server.blobFiles().first)
        let kept = try await server.put("b", bytes(3000, seed: 2))
        try await server.blobs.remove(blob)
        let backup = Backup(
            of: server.folder, into: server.path("backup"), world: server.world)

        let manifest = try await backup.run()

        #expect(manifest.lackingBlobs == [blob])
        #expect(manifest.blobs == 1 && manifest.blobBytes == 3000)
        #expect(
            try backup.lackingFiles(manifest)
                == [LackingFile(owner: "ann", path: "Work/folder/a")])
        let (copy, findings) = try await Self.restored(server, from: server.path("backup"))
        #expect(findings == [.blobMissing(blob), .fileAffected(lost, name: "a")])
        #expect(try await copy.contents(of: kept) == bytes(3000, seed: 2))
        // Not for ever: once nothing needs it, nothing is lacking.
        try await server.delete(lost)
        server.clock.advance(CollectorTests.day * 100)
        for _ in 0..<2 { _ = try await server.collect(.atOnce) }
        #expect(try await backup.run().lackingBlobs == [])
    }

    @Test(
        "keeps what it has of a blob that the server lost since",
        arguments: ["gone", "cut", "pipe"])
    func lostSince(how: String) async throws {
        let server = try await TestServer()
        let item = try await server.put("a", bytes(3000, seed: 1))
        let blob = try #require(try await server.blobFiles().first)
        let backup = Backup(
            of: server.folder, into: server.path("backup"), world: server.world)
        try await backup.run()
        if how == "cut" {
            try FileDamage.shorten(server.blobPath(blob), to: 100)
        } else {
            try LinuxFileSystem().remove(server.blobPath(blob))
            if how == "pipe" { try FileDamage.makePipe(server.blobPath(blob)) }
        }

        #expect(try await backup.run().lackingBlobs == [])

        let (copy, findings) = try await Self.restored(server, from: server.path("backup"))
        #expect(findings == [])
        #expect(try await copy.contents(of: item) == bytes(3000, seed: 1))
    }

    @Test("of a blob that cannot be read is without it", .timeLimit(.minutes(60)))
    func unreadableBlob() async throws {
        let server = try await TestServer()
        try await server.put("a", bytes(3000, seed: 1))
        let blob = try #require(try await server.blobFiles().first)
        try LinuxFileSystem().remove(server.blobPath(blob))
        try FileDamage.makePipe(server.blobPath(blob))

        let manifest = try await Backup(
            of: server.folder, into: server.path("backup"), world: server.world
        ).run()

        #expect(manifest.lackingBlobs == [blob])
    }
}
