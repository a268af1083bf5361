import BasketDatabase
import BasketSupport
import Foundation
import TestSupport
import Testing

@testable import FileProviderReplica

/// What programs change waits for no disk. A crash of the machine may take it back, all of it from some moment on; and
/// then nothing else may know of it.
@Suite("A change that does not wait for the disk")
struct LateCommitTests {
    /// Its threads may wait, as those may that answer a file system's kernel.
    private static let threads = ThreadPool(name: "late", threads: 2)

    private static func open(_ place: JournalPlace, boot: String) async throws -> Replica {
        try await open(place.folder, boot: boot)
    }

    private static func open(_ folder: String, boot: String) async throws -> Replica {
        try await Replica(
            folder: folder, rule: .posix, boot: boot, world: World.live(log: .silent)
        ) { path in
            try await GroupCommitWriter(borrowsThreads: true) { try Replica.openConnection(path) }
        }
    }

    /// A file with a text, written as programs write.
    private static func create(_ name: String, _ replica: Replica) async throws -> Int64 {
        let number = try await replica.nextFile()
        try replica.contents.create(number).write(Array(name.utf8), at: 0)
        try await withTaskExecutorPreference(threads) {
            await Task.yield()
            try await replica.writeSoon {
                _ = try $0.make(name, in: .root, kind: .file, writtenIn: number)
            }
            let touched = try replica.world.files.modified(replica.contents.path(number))
            try await replica.writeSoon {
                _ = try $0.finish(
                    number, size: Int64(name.utf8.count), modified: $0.now, touched: touched,
                    isOver: true)
            }
        }
        return number
    }

    private static func names(_ replica: Replica) throws -> [String] {
        try replica.read { reader in
            try reader.children(of: .root, limit: 100).compactMap { $0.trees.local?.name }
        }
    }

    private static func copy(_ folder: String, to other: String, _ names: [String]) throws {
        for name in names where FileManager.default.fileExists(atPath: folder + "/" + name) {
            try FileManager.default.copyItem(
                atPath: folder + "/" + name, toPath: other + "/" + name)
        }
    }

    private static func problems(of replica: Replica) async throws -> [ReplicaProblem] {
        var check = ReplicaCheck(of: replica)
        return try await check.run()
    }

    private static let databaseFiles = ["replica.db", "replica.db-wal"]

    @Test("is gone as a whole after a crash of the machine, and nothing is left of it")
    func crash() async throws {
        let (place, crashed) = (try JournalPlace(), try JournalPlace())
        defer {
            place.clear()
            crashed.clear()
        }
        let replica = try await Self.open(place, boot: "1")
        _ = try await Self.create("kept", replica)
        try await replica.makeCommitsDurable()
        // That is what the disk has of the database; of all else it has what comes later, too.
        try Self.copy(place.folder, to: crashed.folder, Self.databaseFiles)
        let lost = try await Self.create("lost", replica)
        #expect(try Self.names(replica) == ["kept", "lost"])
        try Self.copy(place.folder, to: crashed.folder, ["contents"])
        replica.close()

        let after = try await Self.open(crashed, boot: "2")
        defer { after.close() }
        #expect(try Self.names(after) == ["kept"])
        #expect(
            !FileManager.default.fileExists(atPath: crashed.folder + "/replica.db.outdated"))
        try await after.removeStrays()
        #expect(try !after.contents.isThere(lost))
        let next = try await Self.create("next", after)
        #expect(next > lost)
        #expect(try await Self.problems(of: after).isEmpty)
    }

    @Test("is there after a crash when it was made durable", arguments: [true, false])
    func durable(byOther: Bool) async throws {
        let (place, crashed) = (try JournalPlace(), try JournalPlace())
        defer {
            place.clear()
            crashed.clear()
        }
        let replica = try await Self.open(place, boot: "1")
        _ = try await Self.create("one", replica)
        if byOther {
            // Whatever waits for the disk brings along what did not.
            _ = try await replica.write { try $0.make("two", in: .root, kind: .folder) }
        } else {
            try await replica.makeCommitsDurable()
        }
        try Self.copy(place.folder, to: crashed.folder, Self.databaseFiles + ["contents"])
        replica.close()
        let after = try await Self.open(crashed, boot: "2")
        defer { after.close() }
        #expect(try Self.names(after) == (byOther ? ["one", "two"] : ["one"]))
        #expect(try await Self.problems(of: after).isEmpty)
    }

    @Test(
        "is on the disk with the next one that waits, though that changes nothing",
        .enabled(if: CuttableDisk.isPossible, "needs the right to mount a disk"),
        arguments: ["SELECT 1", "UPDATE replica SET noted = noted"])
    func empty(statement: String) async throws {
        let disk = try CuttableDisk(mebibytes: 32)
        let replica = try await Self.open(disk.path, boot: "1")
        _ = try await Self.create("one", replica)
        let before = try disk.freeze()
        try await replica.write { _ = try $0.db.run(statement) }
        #expect(
            try #require(try replica.journal.mark()).noted
                == #require(try replica.read { try $0.unsentMark() }).noted)
        let after = try disk.freeze()
        replica.close()
        for (frozen, names) in [(before, []), (after, ["one"])] {
            try disk.restart(with: frozen)
            let replica = try await Self.open(disk.path, boot: "2")
            #expect(try Self.names(replica) == names)
            replica.close()
        }
    }

    @Test("is in the journal of what is unsent once it is durable, and not before")
    func journal() async throws {
        let (place, bereft) = (try JournalPlace(), try JournalPlace())
        defer {
            place.clear()
            bereft.clear()
        }
        let replica = try await Self.open(place, boot: "1")
        _ = try await Self.create("one", replica)
        let mark = try #require(try replica.read { try $0.unsentMark() })
        #expect(try #require(try replica.journal.mark()).noted < mark.noted)
        try await replica.makeCommitsDurable()
        #expect(try #require(try replica.journal.mark()).noted == mark.noted)
        try Self.copy(place.folder, to: bereft.folder, ["contents"])
        replica.close()
        let after = try await Self.open(bereft, boot: "1")
        defer { after.close() }
        #expect(try Self.names(after) == ["one"])
    }

    @Test("is heard of by the journal also where it concerns a folder that is on its way into it")
    func journaledFolder() async throws {
        let place = try JournalPlace()
        defer { place.clear() }
        let replica = try await Self.open(place, boot: "1")
        let folder = try await replica.write { try $0.make("old", in: .root, kind: .folder) }
        try await UnsentJournalTests.settle(folder, replica)
        try await replica.tidyUnsent()
        #expect(!replica.journal.holds(folder))
        try await withTaskExecutorPreference(Self.threads) {
            await Task.yield()
            try await replica.writeSoon { _ = try $0.make("link", in: folder, kind: .symlink) }
            // As others have named it.
            _ = try await replica.writeSoon { transaction in
                try transaction.update(folder) { node in
                    node.trees.local?.name = "new"
                    node.trees.synced = node.trees.local
                    node.trees.remote = node.trees.local
                }
            }
        }
        try await replica.makeCommitsDurable()
        replica.close()
        #expect(try await place.namesAfterLoss() == ["new"])
    }

    @Test("is there when only its process dies, and its files are removed when that is durable")
    func death() async throws {
        let (place, dead) = (try JournalPlace(), try JournalPlace())
        defer {
            place.clear()
            dead.clear()
        }
        let replica = try await Self.open(place, boot: "1")
        let file = try await Self.create("one", replica)
        let id = try #require(try replica.read { try $0.child("one", of: .root)?.id })
        try await withTaskExecutorPreference(Self.threads) {
            await Task.yield()
            try await replica.writeSoon { try $0.remove(id) }
        }
        replica.discardUnlessNamed(file)
        #expect(try replica.contents.isThere(file))
        try await replica.removeDiscarded()
        #expect(try !replica.contents.isThere(file))
        _ = try await Self.create("two", replica)
        try Self.copy(place.folder, to: dead.folder, Self.databaseFiles + ["contents"])
        replica.close()
        let after = try await Self.open(dead, boot: "1")
        defer { after.close() }
        #expect(try Self.names(after) == ["two"])
        #expect(try await Self.problems(of: after).isEmpty)
    }
}
