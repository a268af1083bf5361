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

@Suite("A request with an idempotency key")
struct StoredAnswerTests {
    private let key = IdempotencyKey(key: "k1", fingerprint: ContentHash(of: [1]))

    @Test("is done once, and answered the same each time", arguments: WriterKind.allCases)
    func once(kind: WriterKind) async throws {
        let fixture = try await StoreFixture(kind)
        let root = try fixture.root
        let done = Mutex(0)
        func ask() async throws -> StoredAnswer {
            try await fixture.store.answer(fixture.ann, key) { [ann = fixture.ann] transaction in
                let number = done.withLock { count in
                    count += 1
                    return count
                }
                let id = try transaction.create(
                    ItemCreation(parent: root, name: "a", kind: .file, ifExists: .rename),
                    in: try transaction.db.domain("Work", for: ann))
                return StoredAnswer(status: 201, body: Array("\(id) \(number)".utf8))
            }
        }
        let first = try await ask()
        let second = try await ask()
        #expect(first == second)
        #expect(done.withLock { $0 } == 1)
        #expect(try fixture.names() == ["a"])
    }

    @Test("is refused with another body, and its own for each account")
    func reused() async throws {
        let fixture = try await StoreFixture()
        let other = IdempotencyKey(key: "k1", fingerprint: ContentHash(of: [2]))
        let answer = StoredAnswer(status: 200, body: [1])
        _ = try await fixture.store.answer(fixture.ann, key) { _ in answer }
        await #expect(throws: StoreError.idempotencyKeyReused) {
            try await fixture.store.answer(fixture.phone, other) { _ in answer }
        }
        let bobs = try await fixture.store.answer(fixture.bob, other) { _ in
            StoredAnswer(status: 204, body: [])
        }
        #expect(bobs.status == 204)
    }

    @Test("that failed may be sent again, and is forgotten after a day")
    func forgotten() async throws {
        let fixture = try await StoreFixture()
        await #expect(throws: StoreError.noContent(ItemID(rawValue: 1))) {
            try await fixture.store.answer(fixture.ann, key) { _ in
                throw StoreError.noContent(ItemID(rawValue: 1))
            }
        }
        let answer = StoredAnswer(status: 200, body: [1])
        #expect(try await fixture.store.answer(fixture.ann, key) { _ in answer } == answer)
        fixture.clock.advance(Transaction.answersKept + .seconds(1))
        try await fixture.store.write { try $0.forgetExpired() }
        let later = StoredAnswer(status: 200, body: [2])
        #expect(try await fixture.store.answer(fixture.ann, key) { _ in later } == later)
    }
}

@Suite("The numbers that the store mints")
struct StampSourceTests {
    @Test("always rise, also when the clock is set back, and after a restart")
    func rise() {
        var source = StampSource(after: 0, seed: 1)
        var last: Int64 = 0
        var now = Timestamp(seconds: 1_790_000_000)
        for step in 0..<10_000 {
            if step == 5000 { now = now - .seconds(3600) }
            if step % 7 == 0 { now = now + .milliseconds(1) }
            let next = source.next(at: now)
            #expect(next > last)
            last = next
        }
        let reserved = source.neededReservation()
        #expect((reserved ?? 0) > last)
        var restarted = StampSource(after: reserved ?? 0, seed: 1)
        #expect(restarted.next(at: now) > last)
        #expect(restarted.neededReservation() != nil)
    }

    @Test("are not given again by a store that is opened anew")
    func reopened() async throws {
        let fixture = try await StoreFixture()
        var last = try await fixture.store.write { $0.newNumber() }
        for _ in 0..<3 {
            let writer = InlineWriter(try Store.openConnection(fixture.folder + "/basket.db"))
            let again = try await Store(
                path: fixture.folder + "/basket.db", writer: writer, world: fixture.store.world)
            let next = try await again.write { $0.newNumber() }
            #expect(next > last)
            last = next
            again.close()
        }
    }
}
