import BasketDatabase
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
        try await TemporaryReplica.with { replica in
            let (composed, apart) = ("\u{e9}", "e\u{301}")
            let id = try await replica.write {
                try $0.make(composed, in: .root, kind: .folder)
            }
            _ = try await replica.write { try $0.move(id, to: .root, as: apart) }
            let name = try replica.read { try $0.node(id)?.trees.local?.name }
            #expect(name.map { Array($0.utf8) } == Array(apart.utf8))
        }
    }
}
