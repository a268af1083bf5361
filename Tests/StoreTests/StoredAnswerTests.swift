import BasketContent
import BasketDatabase
import BasketModels
import BasketSupport
import Synchronization
import Testing

@testable import BasketStore

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
