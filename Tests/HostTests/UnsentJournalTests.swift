import BasketDatabase
import BasketSupport
import FileProvider
import Foundation
import Synchronization
import Testing

@testable import FileProviderReplica

@Suite("The journal of what is unsent")
struct UnsentJournalTests {
    @Test("is made anew at a start where it is behind, gone, or nothing that can be read")
    func behind() async throws {
        let place = try JournalPlace()
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
        let place = try JournalPlace()
        defer { place.clear() }
        let undoing = Mutex(false)
        let replica = try await place.open { UndoingWriter(writer: $0) { undoing.withLock { $0 } } }
        let kept = try await replica.write { try $0.make("kept", in: .root, kind: .folder) }
        undoing.withLock { $0 = true }
        await #expect(throws: UndoingWriter.Undone.self) {
            try await replica.write { transaction in
                _ = try transaction.make("undone", in: .root, kind: .folder)
                try transaction.remove(kept)
            }
        }
        undoing.withLock { $0 = false }
        _ = try await replica.write { try $0.make("done", in: .root, kind: .folder) }
        replica.close()
        #expect(try await place.namesAfterLoss() == ["done", "kept"])
    }

    /// Undoes what it has done, as it happens to those that share a commit with one that fails.
    private struct UndoingWriter: DatabaseWriter {
        struct Undone: Error {}

        let writer: InlineWriter
        let isUndoing: @Sendable () -> Bool

        func write<Result: Sendable>(
            _ body: @escaping @Sendable (Connection) throws -> Result
        ) async throws -> Result {
            try await writer.write { connection in
                let result = try body(connection)
                if isUndoing() { throw Undone() }
                return result
            }
        }

        func stop() {}
    }

    @Test("holds what the replica holds when many write at once, and it is made anew meanwhile")
    func crowd() async throws {
        let place = try JournalPlace()
        defer { place.clear() }
        let replica = try await Replica(
            folder: place.folder, rule: .posix, boot: "1", world: World.live(log: .silent)
        ) { path in try await GroupCommitWriter { try Replica.openConnection(path) } }
        defer { replica.close() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<60 {
                group.addTask { try await Self.work(number, replica) }
            }
            for _ in 0..<5 { group.addTask { try await replica.renewUnsent() } }
            try await group.waitForAll()
        }
        try await replica.tidyUnsent()

        func plain(_ node: StoredNode) -> StoredNode {
            node.with { node in
                (node.turn, node.waits) = (nil, nil)
                // Of no use to anybody else.
                (node.touched, node.changed) = (nil, nil)
            }
        }
        let rows = try replica.journal.rows(after: .trash, limit: 10_000)?.rows ?? []
        let unsent = try replica.read { try $0.all() }.filter { $0.id > .trash && $0.isUnsent }
        #expect(!unsent.isEmpty)
        #expect(rows.map(\.node).filter(\.isUnsent).map(plain) == unsent.map(plain))
        let ids = Set(rows.map(\.node.id))
        #expect(rows.allSatisfy { ids.isSuperset(of: $0.node.homes) })
    }

    /// Makes some things, and has the provider know some of them.
    private static func work(_ number: Int, _ replica: Replica) async throws {
        let outer = try await replica.write {
            try $0.make("outer \(number)", in: .root, kind: .folder)
        }
        try await settle(outer, replica)
        let inner = try await replica.write { try $0.make("inner", in: outer, kind: .folder) }
        let link = try await replica.write { try $0.make("link", in: inner, kind: .symlink) }
        if number % 2 == 0 { try await settle(inner, replica) }
        if number % 3 == 0 { try await settle(link, replica) }
        _ = try await replica.write { try $0.move(link, to: outer, as: "moved") }
        if number % 5 == 0 { try await replica.write { try $0.remove(link) } }
    }

    /// The provider has it as it is here.
    static func settle(_ id: NodeID, _ replica: Replica) async throws {
        _ = try await replica.write { transaction in
            try transaction.update(id) { node in
                node.identifier = NSFileProviderItemIdentifier("\(id.rawValue)")
                node.trees.synced = node.trees.local
                node.trees.remote = node.trees.local
            }
        }
    }

    @Test("brings to the top what lies in a folder whose row makes no sense")
    func nonsense() async throws {
        let place = try JournalPlace()
        defer { place.clear() }
        let replica = try await place.open()
        let folder = try await replica.write { try $0.make("folder", in: .root, kind: .folder) }
        _ = try await replica.write { try $0.make("inner", in: folder, kind: .folder) }
        replica.close()
        let other = try Connection(path: place.journal, mode: .writer)
        try other.run("UPDATE node SET kind = 99 WHERE id = ?", folder)
        #expect(try await place.namesAfterLoss() == ["inner"])
    }

    @Test("keeps no replica from being opened because of one row that it cannot take")
    func misfit() async throws {
        let place = try JournalPlace()
        defer { place.clear() }
        var replica = try await place.open()
        for name in ["a", "misfit", "z"] {
            _ = try await replica.write { try $0.make(name, in: .root, kind: .folder) }
        }
        replica.close()
        try place.loseDatabase()
        replica = try await Replica(
            folder: place.folder, rule: .posix, boot: "1", world: World.live(log: .silent)
        ) { path in
            let connection = try Replica.openConnection(path)
            try connection.execute(
                """
                CREATE TEMP TRIGGER misfit BEFORE INSERT ON node WHEN new.name = 'misfit' BEGIN
                    SELECT RAISE(ABORT, 'misfit');
                END
                """)
            return InlineWriter(connection)
        }
        replica.close()
        #expect(try await place.namesAfterLoss() == ["a", "z"])
    }

    @Test("has all of a change that is too large to be kept in memory, once there was time")
    func large() async throws {
        let place = try JournalPlace()
        defer { place.clear() }
        let replica = try await place.open()
        try await replica.write { transaction in
            for number in 0..<12_000 {
                _ = try transaction.make("\(number)", in: .root, kind: .symlink)
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
        let place = try JournalPlace()
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
        let place = try JournalPlace()
        defer { place.clear() }
        let replica = try await place.open()
        let folder = try await replica.write { try $0.make("a", in: .root, kind: .folder) }
        let file = try await replica.write { try $0.make("b", in: folder, kind: .symlink) }
        #expect(try Self.count(replica) == 2)
        for id in [folder, file] { try await Self.settle(id, replica) }
        // Folders stay until somebody tidies.
        #expect(try Self.count(replica) == 1)
        try await replica.tidyUnsent()
        #expect(try Self.count(replica) == 0)

        // And come back with what is unsent in them.
        try await replica.write { transaction in
            try transaction.setAttributes(of: file) { $0.favoriteRank = 1 }
        }
        #expect(try Self.count(replica) == 2)
        try await replica.renewUnsent()
        #expect(try Self.count(replica) == 2)
        replica.close()
        #expect(try await place.namesAfterLoss() == ["a"])
    }

    @Test("gives the disk back what it does not need any more")
    func shrinking() async throws {
        let place = try JournalPlace()
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
        let files = LinuxFileSystem()
        #expect(try files.size(place.journal) + files.size(place.journal + "-wal") < 1 << 20)
    }

    private static let longName = String(repeating: "n", count: 240)

    @Test("gives no number to two nodes, nor to two files")
    func numbers() async throws {
        let place = try JournalPlace()
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
        let place = try JournalPlace()
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
