import BasketDatabase
import BasketSupport
import FileProvider
import Foundation
import Testing

@testable import FileProviderReplica

@Suite("A replica")
struct ReplicaOpeningTests {
    @Test("is worked on by one alone, until that one has closed it")
    func alone() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/basket-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try LinuxFileSystem().makeFolder(folder)
        let first = try await Self.open(folder)

        await #expect { try await Self.open(folder) } throws: {
            ($0 as? FileLock.Held)?.process == getpid()
        }

        // Whoever was refused has taken nothing away from the first.
        _ = try await first.write { try $0.db.run("UPDATE replica SET boot = boot") }
        first.close()
        try await Self.open(folder).close()
    }

    @Test(
        "is brought up to date from each step of its schema",
        arguments: 1..<ReplicaSchema.migrations.count)
    func earlier(steps: Int) async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/basket-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try LinuxFileSystem().makeFolder(folder)
        let replica = try await Replica(
            folder: folder, rule: .posix, boot: "1", world: World.live(log: .silent)
        ) { path in
            try Connection(path: path, mode: .writer)
                .migrate(Array(ReplicaSchema.migrations.prefix(steps)))
            return InlineWriter(try Replica.openConnection(path))
        }
        let made = try await replica.write { try $0.make("a", in: .root, kind: .folder) }
        try await replica.write { try $0.noteOwed(OwedLook(node: made, isListing: true)) }
        replica.close()

        let again = try await Self.open(folder)
        #expect(try again.read { try $0.child("a", of: .root)?.id } == made)
        #expect(try again.read { try $0.owed(limit: 2) }.map(\.node) == [made])
        again.close()
    }

    @Test("begins anew from its journal where an older database was put in its place")
    func outdated() async throws {
        let place = try JournalPlace()
        defer { place.clear() }
        let database = place.folder + "/replica.db"
        let files = FileManager.default
        var replica = try await place.open()
        _ = try await replica.write { try $0.make("early", in: .root, kind: .folder) }
        replica.close()
        try files.copyItem(atPath: database, toPath: place.folder + "/backup")
        replica = try await place.open()
        let late = try await replica.write { try $0.make("late", in: .root, kind: .folder) }
        replica.close()
        try place.loseDatabase()
        try files.moveItem(atPath: place.folder + "/backup", toPath: database)

        replica = try await place.open()
        defer { replica.close() }
        #expect(try replica.read { try $0.child("late", of: .root)?.id } == late)
        #expect(try replica.read { try $0.child("early", of: .root) } != nil)
        #expect(files.fileExists(atPath: database + ".outdated"))
    }

    @Test("begins anew from its journal where nobody can read its database", arguments: [0, 4096])
    func damaged(offset: Int) async throws {
        let place = try JournalPlace()
        defer { place.clear() }
        let database = place.folder + "/replica.db"
        var replica = try await place.open()
        let made = try await replica.write { try $0.make("a", in: .root, kind: .folder) }
        replica.close()
        let bytes = try FileManager.default.attributesOfItem(atPath: database)[.size] as? Int
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: database))
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: Data(repeating: 0xFF, count: (bytes ?? 0) - offset))
        try file.close()

        replica = try await place.open()
        defer { replica.close() }
        #expect(try replica.read { try $0.child("a", of: .root)?.id } == made)
        #expect(FileManager.default.fileExists(atPath: database + ".damaged"))
    }

    @Test("opens though a file that nobody needs cannot be removed")
    func unremovable() async throws {
        let place = try JournalPlace()
        defer { place.clear() }
        var replica = try await place.open()
        let number = try await replica.write { transaction in
            let number = try transaction.nextFile()
            try transaction.db.run("INSERT INTO discarded (file) VALUES (?)", number)
            return number
        }
        let path = replica.contents.path(number)
        replica.close()
        // Nobody removes a folder in which something lies.
        try LinuxFileSystem().makeFolder(path + "/something")
        replica = try await place.open()
        #expect(try replica.read { try $0.isDropped(number) })
        try LinuxFileSystem().removeFolder(path + "/something")
        try await replica.removeDiscarded()
        #expect(try !replica.read { try $0.isDropped(number) })
        replica.close()
    }

    @Test(
        "takes what a power cut may have damaged for no newer content, when nothing else is left",
        arguments: ["1", "2"], [9, 0, nil] as [Int64?])
    func cutOff(boot: String, noted: Int64?) async throws {
        let place = try JournalPlace()
        defer { place.clear() }
        var replica = try await place.open()
        let number = try await replica.write { try $0.nextFile() }
        try replica.contents.create(number).write(Array("short".utf8), at: 0)
        let mark = ContentMark(path: ["folder", "a.txt"], item: "item", base: nil, size: noted)
        try replica.contents.set(mark, at: number)
        replica.close()
        try place.loseDatabase()

        replica = try await place.open(boot: boot)
        defer { replica.close() }
        let found = try #require(try replica.read { try $0.found(limit: 2) }.first)
        if boot == "1" {
            #expect(found.mark == mark)
        } else {
            #expect(found.mark.item == nil && found.mark.path.first == "folder")
            #expect(found.mark.path.last?.hasPrefix("a (damaged ") == true)
        }
    }

    @Test(
        "lets go of files whose numbers it has never given, but for those that tell what they are")
    func foreign() async throws {
        let place = try JournalPlace()
        defer { place.clear() }
        let replica = try await place.open()
        defer { replica.close() }
        let given = try await replica.write { try $0.nextFile() }
        let numbers = [given, given + 1, given + 2]
        for number in numbers { _ = try replica.contents.create(number) }
        let mark = ContentMark(path: ["a"], item: nil, base: nil)
        try replica.contents.set(mark, at: given + 2)
        try await replica.removeStrays()
        #expect(numbers.filter(replica.contents.exists) == [given, given + 2])
        // That one comes back, and nobody else gets its number.
        #expect(try replica.read { try $0.found(limit: 2) }.map(\.file) == [given + 2])
        #expect(try await replica.write { try $0.nextFile() } == given + 3)
    }

    @Test(
        "looks at what it never gave a number before that comes back, when the machine has crashed",
        arguments: [("1", 5), ("1", 100), ("2", 5), ("2", 100)])
    func foreignAfterCrash(boot: String, noted: Int64) async throws {
        let place = try JournalPlace()
        defer { place.clear() }
        try await place.open().close()
        let replica = try await place.open(boot: boot)
        defer { replica.close() }
        let number = try await replica.write { try $0.nextFile() } + 1
        try replica.contents.create(number).write(Array("short".utf8), at: 0)
        let mark = ContentMark(path: ["a.txt"], item: "item", base: nil, size: noted)
        try replica.contents.set(mark, at: number)
        try await replica.removeStrays()
        let found = try #require(try replica.read { try $0.found(limit: 2) }.first)
        let seen = try await replica.lookAgain(at: found)
        #expect((seen.mark == mark) == (boot == "1" || noted == 5))
    }

    private static func open(_ folder: String) async throws -> Replica {
        try await Replica(
            folder: folder, rule: .posix, boot: "1", world: World.live(log: .silent)
        ) { InlineWriter(try Replica.openConnection($0)) }
    }
}
