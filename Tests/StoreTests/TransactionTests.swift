import BasketContent
import BasketDatabase
import BasketModels
import BasketSupport
import Synchronization
import Testing

@testable import BasketStore

@Suite("A transaction")
struct TransactionTests {
    struct Refused: Error {}

    @Test("happens as a whole or not at all", arguments: WriterKind.allCases)
    func atomic(kind: WriterKind) async throws {
        let fixture = try await StoreFixture(kind)
        let root = try fixture.root
        let before = try fixture.work
        let listener = fixture.store.hub.listen(to: [before.id])
        await #expect(throws: Refused.self) {
            try await fixture.change { transaction, domain in
                _ = try transaction.create(
                    ItemCreation(
                        parent: root, name: "a", kind: .file, content: .init(text: "text")),
                    in: domain)
                throw Refused()
            }
        }
        let after = try fixture.work
        #expect(after.anchor == before.anchor)
        #expect([after.used, after.items] == [0, 0])
        #expect(try fixture.names() == [])
        #expect(listener.take() == [])
    }

    @Test("lets a part fail alone, and counts only what happened", arguments: WriterKind.allCases)
    func attempt(kind: WriterKind) async throws {
        let fixture = try await StoreFixture(kind)
        let root = try fixture.root
        let before = try fixture.work
        let listener = fixture.store.hub.listen(to: [before.id])
        let results = try await fixture.change { transaction, domain in
            ["a", "b", "a", "c/d", "e"].map { name in
                Result {
                    try transaction.attempt {
                        try transaction.create(
                            ItemCreation(
                                parent: root, name: name, kind: .file, content: .init(text: name)),
                            in: domain)
                    }
                }
            }.map { (try? $0.get()) != nil }
        }
        #expect(results == [true, true, false, false, true])
        let after = try fixture.work
        #expect(after.rank == before.rank + 1, "one commit, one rank")
        #expect([after.used, after.items] == [3, 3])
        #expect(try fixture.names() == ["a", "b", "e"])
        #expect(listener.take() == [.changed(domain: after.id, after.anchor)])
        #expect(try fixture.store.read { try StoreInvariants.broken(in: $0) } == [])
    }

    @Test("of which all parts fail changes nothing and tells nobody")
    func nothing() async throws {
        let fixture = try await StoreFixture()
        let before = try fixture.work
        let listener = fixture.store.hub.listen(to: [before.id])
        try await fixture.change { transaction, domain in
            let made: Void? = try? transaction.attempt {
                _ = try transaction.create(
                    ItemCreation(parent: domain.root, name: "a", kind: .file), in: domain)
                throw Refused()
            }
            #expect(made == nil)
        }
        #expect(try fixture.work.rank == before.rank)
        #expect(listener.take() == [])
    }

    @Test(
        "takes turns with many others, each with a rank of its own", arguments: WriterKind.allCases)
    func concurrent(kind: WriterKind) async throws {
        let fixture = try await StoreFixture(kind)
        let root = try fixture.root
        let start = try fixture.work.rank
        try await withThrowingTaskGroup { group in
            for number in 0..<100 {
                group.addTask {
                    let name = "\(number % 50)"
                    _ = try? await fixture.change {
                        try $0.create(
                            ItemCreation(
                                parent: root, name: name, kind: .file, content: .init(text: name)),
                            in: $1)
                    }
                }
            }
            try await group.waitForAll()
        }
        let work = try fixture.work
        #expect(work.items == 50)
        #expect(work.rank == start + 50)
        let ranks: [Int64] = try fixture.store.read { db in
            try db.all("SELECT rank FROM item WHERE parent = ? ORDER BY rank", root) {
                row throws(SQLiteError) in try row[0]
            }
        }
        #expect(ranks == (1...50).map { start + Int64($0) })
    }
}
