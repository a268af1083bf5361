import BasketBlobs
import BasketSupport
import BasketUpkeep
import Testing

@Suite("A restoration")
struct RestoreTests {
    @Test("refuses a folder that is not empty")
    func notEmpty() async throws {
        let server = try await TestServer()
        try await Backup(
            of: server.folder, into: server.path("backup"), world: server.world
        ).run()

        await #expect(throws: DataFolderError.self) {
            try await Restore(
                from: server.path("backup"), into: server.folder, world: server.world
            ).run()
        }
    }

    @Test("refuses what is no complete backup")
    func incomplete() async throws {
        let server = try await TestServer()
        let target = DataFolder(path: server.path("target"))

        await #expect(throws: BackupError.noBackup(server.path("backup"))) {
            try await Restore(
                from: server.path("backup"), into: target, world: server.world
            ).run()
        }
    }

    @Test("refuses a backup that has lost a blob since it was made")
    func lostBlob() async throws {
        let server = try await TestServer()
        let backup = server.path("backup")
        try await server.put("a", bytes(3000, seed: 1))
        try await Backup(of: server.folder, into: backup, world: server.world).run()
        let blob = try #require(try await server.blobFiles().first)
        try LinuxFileSystem().remove("\(backup)/blobs/\(blob.text.prefix(2))/\(blob)")

        await #expect(throws: BackupError.damaged(backup, "blob \(blob) is missing")) {
            try await Restore(
                from: backup, into: DataFolder(path: server.path("target")), world: server.world
            ).run()
        }
    }

    @Test("refuses a database that is not what was backed up")
    func damaged() async throws {
        let server = try await TestServer()
        let backup = server.path("backup")
        let manifest = try await Backup(
            of: server.folder, into: backup, world: server.world
        ).run()
        try FileDamage.flip(backup + "/" + manifest.database, at: 5000)

        let error = await #expect(throws: BackupError.self) {
            try await Restore(
                from: backup, into: DataFolder(path: server.path("target")), world: server.world
            ).run()
        }
        #expect(error?.code == "backup_damaged")
    }

    @Test(
        "refuses a database that lies elsewhere", arguments: ["../", "../\u{301}", "\u{600}/"])
    func elsewhere(path: String) async throws {
        let server = try await TestServer()
        let backup = server.path("backup")
        let name = try await Backup(
            of: server.folder, into: backup, world: server.world
        ).run().database
        let manifest = "\(backup)/backup.json"
        let files = LinuxFileSystem()
        let text = String(decoding: try files.contents(of: manifest), as: UTF8.self)
        try files.replace(
            manifest, with: Array(text.replacing(name, with: path + name).utf8))

        #expect(throws: BackupError.noBackup(backup)) {
            try BackupManifest.read(from: backup, files)
        }
    }

    @Test("that dies leaves a folder in which no server starts, or a whole one")
    func crash() async throws {
        let server = try await TestServer()
        let backup = server.path("backup")
        try await server.put("a", bytes(3000, seed: 1))
        try await Backup(of: server.folder, into: backup, world: server.world).run()
        var deaths = 0
        while true {
            let target = DataFolder(path: server.path("target-\(deaths)"))
            let mishap = Mishap()
            mishap.happen(after: deaths)
            let world = server.clock.world(files: MishapFileSystem(mishap))
            do {
                _ = try await Restore(from: backup, into: target, world: world).run()
            } catch {
                #expect(mishap.hasHappened, "\(error)")
            }
            let files = LinuxFileSystem()
            if files.exists(target.database) {
                #expect(try await Check(target, world: server.world).run(isDeep: true) == [])
            } else if files.exists(target.path + "/basket.db.restoring") {
                #expect(throws: DataFolderError.unfinishedRestoration(target.path)) {
                    try target.lock(files)
                }
            }
            if !mishap.hasHappened { break }
            deaths += 1
        }
        #expect(deaths > 8)
    }
}
