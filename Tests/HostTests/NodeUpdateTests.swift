import BasketDatabase
import BasketSupport
import Foundation
import Testing

@testable import FileProviderReplica

@Suite("A node's row that is written again")
struct NodeUpdateTests {
    @Test("has no column set each time that an index or a trigger looks at")
    func others() throws {
        let path = FileManager.default.temporaryDirectory.path + "/basket-\(UUID().uuidString).db"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let watchers: [String] = try Replica.openConnection(path).all(
            "SELECT sql FROM sqlite_schema WHERE tbl_name = 'node' AND type <> 'table'"
        ) { row throws(SQLiteError) in try row[0] }

        #expect(watchers.count > 15)
        for sql in watchers {
            let words = Set(sql.split { !$0.isLetter && $0 != "_" }.map(String.init))
            #expect(words.isDisjoint(with: NodeUpdate.others.map { "\($0)" }), "\(sql)")
        }
    }

    @Test("has the other Unicode form of its name, also where names do not tell these apart")
    func forms() async throws {
        try await Self.withReplica { replica in
            let (composed, apart) = ("\u{e9}", "e\u{301}")
            let id = try await replica.write {
                try $0.make(composed, in: .root, kind: .folder)
            }
            _ = try await replica.write { try $0.move(id, to: .root, as: apart) }
            let name = try replica.read { try $0.node(id)?.trees.local?.name }
            #expect(name.map { Array($0.utf8) } == Array(apart.utf8))
        }
    }

    private static func withReplica(_ body: (Replica) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/basket-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let world = World.live(log: .silent)
        try world.files.makeFolder(folder)
        let replica = try await Replica(
            folder: folder, rule: .portable, boot: "1", world: world
        ) { InlineWriter(try Replica.openConnection($0)) }
        defer { replica.close() }
        try await body(replica)
    }
}
