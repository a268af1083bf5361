import BasketDatabase
import BasketSupport
import Foundation
import Testing

@testable import FileProviderReplica

@Suite("The journal of what is unsent, when something comes between,")
struct UnsentJournalMishapTests {
    @Test("is put aside, and made anew, when something in it cannot be read while it is written")
    func corrupt() async throws {
        let place = try JournalPlace()
        defer { place.clear() }
        let replica = try await place.open()
        for number in 0..<100 {
            _ = try await replica.write {
                try $0.make(
                    "\(number) \(String(repeating: "n", count: 240))", in: .root, kind: .symlink)
            }
        }
        try Self.spoil(place.journal)
        _ = try await replica.write { try $0.make("new", in: .root, kind: .symlink) }
        #expect(replica.journal.needsRenewal)
        // Nobody is kept from anything by it.
        _ = try await replica.write { try $0.make("newer", in: .root, kind: .symlink) }
        #expect(!FileManager.default.fileExists(atPath: place.journal + ".damaged"))

        try await replica.tidyUnsent()
        #expect(FileManager.default.fileExists(atPath: place.journal + ".damaged"))
        #expect(!replica.journal.needsRenewal)
        #expect(try replica.journal.rows(after: .trash, limit: 1000)?.rows.count == 102)
        _ = try await replica.write { try $0.make("newest", in: .root, kind: .symlink) }
        replica.close()
        #expect(try await place.namesAfterLoss().count == 103)
    }

    @Test("gives its rows though nobody can read what it says of itself")
    func unknownBoot() async throws {
        let place = try JournalPlace()
        defer { place.clear() }
        let replica = try await place.open()
        let made = try await replica.write { try $0.make("a", in: .root, kind: .symlink) }
        replica.close()
        try Self.spoil(place.journal, "journal")
        try place.loseDatabase()
        let next = try await place.open()
        defer { next.close() }
        #expect(try next.read { try $0.child("a", of: .root)?.id } == made)
        #expect(try await next.write { try $0.make("b", in: .root, kind: .symlink) } > made)
    }

    @Test("gives all that can be read of it when a part cannot, and nothing else is left")
    func damaged() async throws {
        let place = try JournalPlace()
        defer { place.clear() }
        var replica = try await place.open()
        let name = String(repeating: "n", count: 200)
        for number in 0..<400 {
            _ = try await replica.write {
                try $0.make("\(number) \(name)", in: .root, kind: .symlink)
            }
        }
        replica.close()
        try Self.spoilOneLeaf(place.journal)

        let names = try await place.namesAfterLoss()
        #expect((300..<400).contains(names.count), "\(names.count)")
        #expect(names.contains { $0.hasPrefix("0 ") } && names.contains { $0.hasPrefix("399 ") })
        // It is put aside, and made anew with what there is.
        replica = try await place.open()
        try await replica.tidyUnsent()
        #expect(FileManager.default.fileExists(atPath: place.journal + ".damaged"))
        replica.close()
        #expect(try await place.namesAfterLoss().count == names.count)
    }

    /// Writes nonsense over a page in the middle that holds rows.
    private static func spoilOneLeaf(_ path: String) throws {
        let size = try {
            let other = try Connection(path: path, mode: .writer)
            try other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return try #require(try other.value("PRAGMA page_size", of: Int.self))
        }()
        let bytes = try #require(FileManager.default.contents(atPath: path))
        let name = Data(String(repeating: "n", count: 100).utf8)
        // The first byte of a page tells what it is.
        let leaves = (1..<bytes.count / size).filter { page in
            let part = bytes[page * size..<(page + 1) * size]
            return part.first == 0x0D && part.range(of: name) != nil
        }
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.seek(toOffset: UInt64(leaves[leaves.count / 2] * size))
        try file.write(contentsOf: Data(repeating: 0xFF, count: size))
        try file.close()
    }

    /// Writes nonsense over the page at which a table begins, which is on the disk and nowhere else.
    private static func spoil(_ path: String, _ table: String = "node") throws {
        let other = try Connection(path: path, mode: .writer)
        try other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        let size: Int = try #require(try other.value("PRAGMA page_size"))
        let page: Int = try #require(
            try other.value("SELECT rootpage FROM sqlite_schema WHERE name = ?", table))
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.seek(toOffset: UInt64((page - 1) * size))
        try file.write(contentsOf: Data(repeating: 0xFF, count: size))
        try file.close()
        // Whoever has pages in memory looks at the disk again.
        try? other.execute("UPDATE journal SET boot = 'another'")
    }

    @Test("knows after it was made anew which files are only there because somebody holds them")
    func discarded() async throws {
        let place = try JournalPlace()
        defer { place.clear() }
        let replica = try await place.open()
        let id = try await replica.write { try $0.make("a", in: .root, kind: .file) }
        let number = try await replica.write { try $0.nextFile() }
        _ = try replica.contents.create(number)
        let hold = replica.contents.hold(number)
        _ = try await replica.write { transaction in
            try transaction.update(id) { node in
                node.file = number
                node.residence = .whole
            }
        }
        let mark = try replica.read { reader in
            try reader.node(id).map { try reader.mark(of: $0) }
        }
        try replica.contents.set(mark, at: number)
        try await replica.write { try $0.remove(id) }
        try await replica.renewUnsent()
        #expect(replica.journal.droppedFiles == [number])
        withExtendedLifetime(hold) {}
        replica.close()
        try place.loseDatabase()
        let next = try await place.open()
        defer { next.close() }
        // It is not brought back as something that nobody has removed.
        #expect(try next.read { try $0.found(limit: 10) }.isEmpty)
        try await next.removeStrays()
        #expect(!next.contents.exists(number))
    }

    @Test("keeps a folder in which something has come since it was found that nothing is unsent")
    func lateTidying() async throws {
        let place = try JournalPlace()
        defer { place.clear() }
        let replica = try await place.open()
        let folder = try await replica.write { try $0.make("folder", in: .root, kind: .folder) }
        try await UnsentJournalTests.settle(folder, replica)
        #expect(replica.journal.needsTidying)
        _ = try await replica.write { try $0.make("link", in: folder, kind: .symlink) }
        try await replica.write { $0.unsent.part = .tidying }
        replica.close()
        #expect(try await place.namesAfterLoss() == ["folder"])
    }
}
