import FileProvider
import Testing

@testable import FileProviderReplica

@Suite("What is kept beside an item")
struct KeptContentTests {
    @Test("is neither forgotten to be on no disk yet, nor written into where it was handed over")
    func kept() async throws {
        try await TemporaryReplica.with { replica in
            let file = try await replica.write { transaction in
                let id = try transaction.make("a", in: .root, kind: .file)
                let file = try transaction.nextFile()
                try transaction.update(id) { node in
                    let entry = try #require(node.trees.local)
                    (node.trees.synced, node.trees.remote) = (entry, entry)
                    node.trees.local?.content = .edit(try transaction.nextEdit())
                    node.identifier = NSFileProviderItemIdentifier("a")
                    (node.file, node.size, node.residence) = (file, 10, .whole)
                }
                try transaction.noteVolatile(file)
                try transaction.setAsideConflict(try #require(try transaction.reader.node(id)))
                return file
            }
            let copy = try #require(try replica.read { try $0.node(file: file) })
            #expect(copy.trees.local?.name != "a")
            #expect(copy.isFrozen)
            #expect(try replica.read { try $0.isVolatile(file) })
        }
    }
}
