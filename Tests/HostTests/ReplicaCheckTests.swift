import BasketDatabase
import BasketSupport
import Testing

@testable import FileProviderReplica

@Suite("A look whether all that is stored agrees finds")
struct ReplicaCheckTests {
    /// What may be wrong, and what is said of it.
    enum Fault: CaseIterable {
        case none, count, file, length, place, lacking, superfluous

        var words: String {
            switch self {
            case .none: ""
            case .count: "are said to be here"
            case .file: "is not there"
            case .length: "has 4 bytes, and not 9"
            case .place: "lies in no folder"
            case .lacking: "the journal lacks it"
            case .superfluous: "the journal takes it for unsent"
            }
        }
    }

    @Test("what is wrong, and nothing else", arguments: Fault.allCases)
    func fault(_ fault: Fault) async throws {
        let place = try JournalPlace()
        defer { place.clear() }
        let replica = try await place.open()
        defer { replica.close() }
        let folder = try await replica.write { try $0.make("folder", in: .root, kind: .folder) }
        let (id, number) = try await replica.write { transaction in
            let id = try transaction.make("a", in: folder, kind: .file)
            return (id, try transaction.nextFile())
        }
        try replica.contents.create(number).write(Array("123456789".utf8), at: 0)
        try await replica.write { transaction in
            _ = try transaction.update(id) { node in
                node.file = number
                node.size = 9
                node.residence = .whole
            }
        }
        let path = replica.contents.path(number)
        switch fault {
        case .none: break
        case .count:
            _ = try await replica.write { try $0.db.run("UPDATE replica SET here = here + 1") }
        case .file: try LinuxFileSystem().remove(path)
        case .length: try LinuxFileSystem().openToChange(path).resize(to: 4)
        case .place:
            _ = try await replica.write {
                try $0.db.run("UPDATE node SET parent = 999 WHERE id = ?", id)
            }
        case .lacking:
            try Connection(path: place.journal, mode: .writer)
                .run("DELETE FROM node WHERE id = ?", id)
        case .superfluous:
            try Connection(path: place.journal, mode: .writer).run(
                "UPDATE node SET id = 999 WHERE id = (SELECT max(id) FROM node)")
        }
        var check = ReplicaCheck(of: replica)
        let problems = try await check.run()
        #expect(problems.isEmpty == (fault == .none))
        #expect(fault == .none || problems.contains { $0.text.contains(fault.words) })
        // None of that is in the database itself.
        var quick = ReplicaCheck(of: replica)
        #expect(try await quick.run(isQuick: true).isEmpty)
    }

    @Test("a database that is broken, also where it is to be quick", arguments: [false, true])
    func damages(isQuick: Bool) throws {
        let place = try JournalPlace()
        defer { place.clear() }
        let path = place.folder + "/broken.db"
        func damages() throws -> [String] {
            try ReplicaCheck.damages(of: Connection(path: path, mode: .writer), isQuick: isQuick)
        }
        do {
            let db = try Connection(path: path, mode: .writer)
            try db.run("CREATE TABLE entry (name TEXT)")
            try db.run("INSERT INTO entry VALUES ('one')")
            try db.run("PRAGMA wal_checkpoint(TRUNCATE)")
        }
        #expect(try damages().isEmpty)
        // Where the table's own page says how it is laid out.
        let size = try Connection(path: path, mode: .writer).value("PRAGMA page_size") ?? 0
        try LinuxFileSystem().openToChange(path).write([0xFF], at: Int64(size as Int))
        #expect(try !damages().isEmpty)
    }
}
