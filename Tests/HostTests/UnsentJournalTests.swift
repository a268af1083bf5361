import BasketDatabase
import BasketSupport
import FileProvider
import Foundation
import Testing

@testable import FileProviderReplica

@Suite("The journal of what is unsent")
struct UnsentJournalTests {
    /// A replica's folder, whose files are lost and come back as a test wants it.
    private struct Place {
        let folder = FileManager.default.temporaryDirectory.path + "/basket-\(UUID().uuidString)"
        var journal: String { folder + "/contents/unsent.db" }

        init() throws { try LinuxFileSystem().makeFolder(folder) }

        func open(boot: String = "1") async throws -> Replica {
            try await Replica(
                folder: folder, rule: .posix, boot: boot, world: World.live(log: .silent)
            ) { InlineWriter(try Replica.openConnection($0)) }
        }

        func loseDatabase() throws { try remove(folder + "/replica.db") }

        func remove(_ path: String) throws {
            for ending in ["", "-wal", "-shm"]
            where FileManager.default.fileExists(atPath: path + ending) {
                try FileManager.default.removeItem(atPath: path + ending)
            }
        }

        /// The names in the root, after another start from the journal alone.
        func namesAfterLoss() async throws -> [String] {
            try loseDatabase()
            let replica = try await open()
            defer { replica.close() }
            return try replica.read { reader in
                try reader.children(of: .root, limit: 20_000).compactMap { $0.trees.local?.name }
            }
        }

        func clear() { try? FileManager.default.removeItem(atPath: folder) }
    }

    @Test("is made anew at a start where it is behind, gone, or nothing that can be read")
    func behind() async throws {
        let place = try Place()
        defer { place.clear() }
        var replica = try await place.open()
        _ = try await replica.write { try $0.make("a", in: .root, kind: .folder) }
        replica.close()
        let old = try Data(contentsOf: URL(fileURLWithPath: place.journal))

        let mishaps: [@Sendable () throws -> Void] = [
            {
                try place.remove(place.journal)
                try old.write(to: URL(fileURLWithPath: place.journal))
            },
            { try place.remove(place.journal) },
            {
                try place.remove(place.journal)
                try Data("no database".utf8).write(to: URL(fileURLWithPath: place.journal))
            },
        ]
        for (index, mishap) in mishaps.enumerated() {
            replica = try await place.open()
            _ = try await replica.write { try $0.make("b\(index)", in: .root, kind: .folder) }
            replica.close()
            try mishap()
            try await place.open().close()
            let names = ["a"] + (0...index).map { "b\($0)" }
            #expect(try await place.namesAfterLoss() == names)
        }
    }

    @Test("has nothing of a transaction that was undone")
    func undone() async throws {
        let place = try Place()
        defer { place.clear() }
        let replica = try await place.open()
        struct Undone: Error {}
        await #expect(throws: Undone.self) {
            try await replica.write { transaction in
                _ = try transaction.make("a", in: .root, kind: .folder)
                throw Undone()
            }
        }
        _ = try await replica.write { try $0.make("b", in: .root, kind: .folder) }
        replica.close()
        #expect(try await place.namesAfterLoss() == ["b"])
    }

    @Test("has all of a change that is too large to be kept in memory, once there was time")
    func large() async throws {
        let place = try Place()
        defer { place.clear() }
        let replica = try await place.open()
        try await replica.write { transaction in
            for number in 0..<12_000 {
                _ = try transaction.make("\(number)", in: .root, kind: .folder)
            }
        }
        #expect(replica.journal.needsRenewal)
        try await replica.tidyUnsent()
        #expect(!replica.journal.needsRenewal)
        replica.close()
        #expect(try await place.namesAfterLoss().count == 12_000)
    }

    @Test("is mended when it could not be written to for a while")
    func unwritable() async throws {
        let place = try Place()
        defer { place.clear() }
        let replica = try await place.open()
        let other = try Connection(path: place.journal, mode: .writer)
        try other.execute("ALTER TABLE node RENAME TO elsewhere")
        _ = try await replica.write { try $0.make("a", in: .root, kind: .folder) }
        #expect(replica.journal.needsRenewal)
        try other.execute("ALTER TABLE elsewhere RENAME TO node")
        _ = try await replica.write { try $0.make("b", in: .root, kind: .folder) }
        #expect(replica.journal.needsRenewal)
        try await replica.tidyUnsent()
        #expect(!replica.journal.needsRenewal)
        replica.close()
        #expect(try await place.namesAfterLoss() == ["a", "b"])
    }

    @Test("forgets the folders in which nothing is unsent any more")
    func folders() async throws {
        let place = try Place()
        defer { place.clear() }
        let replica = try await place.open()
        let folder = try await replica.write { try $0.make("a", in: .root, kind: .folder) }
        let file = try await replica.write { try $0.make("b", in: folder, kind: .symlink) }
        #expect(try Self.count(replica) == 2)
        for id in [folder, file] {
            _ = try await replica.write { transaction in
                try transaction.update(id) { node in
                    node.identifier = NSFileProviderItemIdentifier("\(id.rawValue)")
                    node.trees.synced = node.trees.local
                    node.trees.remote = node.trees.local
                }
            }
        }
        // Folders stay until somebody tidies.
        #expect(try Self.count(replica) == 1)
        try await replica.tidyUnsent()
        #expect(try Self.count(replica) == 0)

        // And come back with what is unsent in them.
        try await replica.write { transaction in
            try transaction.setAttributes(of: file) { $0.favoriteRank = 1 }
        }
        #expect(try Self.count(replica) == 2)
        replica.close()
        #expect(try await place.namesAfterLoss() == ["a"])
    }

    @Test("gives the disk back what it does not need any more")
    func shrinking() async throws {
        let place = try Place()
        defer { place.clear() }
        let replica = try await place.open()
        defer { replica.close() }
        let ids = try await replica.write { transaction in
            try (0..<9000).map {
                try transaction.make("\($0) \(Self.longName)", in: .root, kind: .symlink)
            }
        }
        try await replica.write { for id in ids { try $0.remove(id) } }
        try await replica.tidyUnsent()
        let facts = try LinuxFileSystem().facts(of: place.journal)
        #expect(facts.size < 1 << 20)
    }

    private static let longName = String(repeating: "n", count: 200)

    @Test("gives no number to two nodes, nor to two files")
    func numbers() async throws {
        let place = try Place()
        defer { place.clear() }
        var replica = try await place.open()
        let gone = try await replica.write { try $0.make("gone", in: .root, kind: .folder) }
        let kept = try await replica.write { try $0.make("kept", in: .root, kind: .folder) }
        let last = try await replica.write { try $0.make("last", in: .root, kind: .folder) }
        for id in [gone, last] { try await replica.write { try $0.remove(id) } }
        replica.close()
        try place.loseDatabase()
        replica = try await place.open()
        defer { replica.close() }
        #expect(try replica.read { try $0.child("kept", of: .root)?.id } == kept)
        let new = try await replica.write { try $0.make("new", in: .root, kind: .folder) }
        #expect(new > last)
    }

    @Test("knows each column of a node")
    func columns() async throws {
        let place = try Place()
        defer { place.clear() }
        let replica = try await place.open()
        defer { replica.close() }
        let id = try await replica.write { transaction in
            let id = try transaction.make("a", in: .root, kind: .symlink, target: "b")
            try transaction.update(id) { node in
                node.type = "public.symlink"
                node.facts = [1, 2]
                node.muted = .tagData
                node.trees.local?.attributes.extended = ["user.a": Data([1])]
                node.trees.local?.attributes.tags = Data([2])
                node.trees.local?.attributes.favoriteRank = 3
                node.trees.local?.attributes.lastUsed = Timestamp(nanoseconds: 4)
                node.trees.local?.attributes.typeAndCreator = 5
                node.trees.local?.attributes.flags = .hidden
            }
            return id
        }
        let node = try replica.read { try $0.node(id) }
        let rows = try replica.journal.rows(after: .trash, limit: 10)?.rows ?? []
        #expect(rows.map(\.node) == [try #require(node)])
    }

    private static func count(_ replica: Replica) throws -> Int {
        try replica.journal.rows(after: .trash, limit: 100)?.rows.count ?? 0
    }
}
