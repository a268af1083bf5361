import BasketContent
import BasketDatabase
import BasketModels
import BasketSupport
import Testing

@testable import BasketStore

@Suite("Retention")
struct RetentionTests {
    private static let day = Duration.seconds(86_400)

    @Test("keeps all versions for a day, one a day for a month, one a month for a year")
    func thins() async throws {
        let fixture = try await StoreFixture()
        let id = try await fixture.file("file", "0")
        // Four versions a day for 500 days.
        try await fixture.change { transaction, domain in
            for number in 1...2000 {
                try transaction.db.run(
                    """
                    INSERT INTO version (id, item, conflict, content, hash, size, stored, modified,
                        superseded)
                    SELECT ?1, id, 0, content, hash, size, stored, modified, ?2 FROM item
                    WHERE id = ?3
                    """, number, fixture.clock.now - .seconds(21_600) * number, id)
                try transaction.db.run("UPDATE content SET refs = refs + 1")
                try transaction.account(domain, history: 1)
            }
        }
        func thin() async throws -> Int {
            var dropped = 0
            var last = ItemID(rawValue: 0)
            while true {
                let start = last
                let done = try await fixture.store.write {
                    try $0.thinVersions(RetentionPolicy(), after: start)
                }
                dropped += done.step.dropped
                last = done.last
                if done.step.isDone { return dropped }
            }
        }
        let dropped = try await thin()
        let left = 2000 - dropped
        // 4 of the last day, 30 or 31 of the month, 12 to 14 of the year.
        #expect((46...50).contains(left))
        #expect(try await thin() == 0, "thinning twice drops nothing more")
        #expect(try fixture.work.history == Int64(left))
        #expect(try fixture.store.read { try StoreInvariants.broken(in: $0) } == [])
        // Time goes on: there is always something left of each month that is not too old.
        for _ in 0..<40 {
            fixture.clock.advance(Self.day * 10)
            _ = try await thin()
            #expect(try await thin() == 0)
        }
        #expect(try fixture.work.history == 0)
        #expect(try fixture.text(id) == "0")
    }

    @Test("never drops a conflict version")
    func conflicts() async throws {
        let fixture = try await StoreFixture()
        let id = try await fixture.file("file", "one")
        let base = try fixture.item(id).contentVersion
        _ = try await fixture.write("two", to: id, .base(base))
        _ = try await fixture.write("three", to: id, .baseOrKeep(base), by: fixture.phone)
        fixture.clock.advance(Self.day * 1000)
        _ = try await fixture.store.write {
            try $0.thinVersions(RetentionPolicy(), after: ItemID(rawValue: 0))
        }
        let standings = try fixture.store.read {
            try $0.versions(of: fixture.item(id)).map(\.standing)
        }
        #expect(standings == [.conflict, .current])
    }

    @Test("forgets what was deleted long ago, in steps, with all that hung on it")
    func forgets() async throws {
        let fixture = try await StoreFixture()
        let root = try fixture.root
        let top = try await fixture.folder("top")
        try await fixture.change { transaction, domain in
            for number in 0..<1200 {
                let id = try transaction.create(
                    ItemCreation(
                        parent: top, name: "\(number)", kind: .file,
                        content: .init(text: "\(number)")), in: domain)
                if number % 100 == 0 {
                    _ = try transaction.replaceContent(
                        of: id, with: .init(text: "new"), condition: .any, in: domain)
                    try transaction.lock(id, for: .seconds(9), note: "", in: domain)
                }
            }
        }
        _ = try await fixture.store.write { [domain = try fixture.work.id] in
            try $0.indexForSearch(domain: domain, limit: 10_000)
        }
        try await fixture.delete(top)
        let kept = try await fixture.folder("kept", in: root)
        fixture.clock.advance(Self.day * 89)
        let policy = RetentionPolicy()
        #expect(try await fixture.retain { try $0.purgeDeletedContents(policy) } == 1200)
        #expect(try await fixture.retain { try $0.forgetTombstones(policy) } == 0)
        fixture.clock.advance(Self.day * 2)
        #expect(try await fixture.retain { try $0.forgetTombstones(policy) } == 1201)
        for table in ["content", "version", "lock", "xattr"] {
            let count =
                try fixture.store.read { try $0.value("SELECT count(*) FROM \(table)") } ?? 0
            #expect(count == 0, "\(table)")
        }
        #expect(try fixture.store.read { try $0.value("SELECT count(*) FROM item") } == 3)
        #expect(try fixture.item(kept).name == "kept")
        #expect(try fixture.store.read { try StoreInvariants.broken(in: $0) } == [])
    }

    @Test("drops large contents' references, and leaves their chunks to the collection")
    func chunks() async throws {
        let fixture = try await StoreFixture()
        let root = try fixture.root
        let chunk = StagedChunk(
            hash: .init(of: [1, 2, 3]), length: 3, place: BlobPlace(blob: 4, position: 0))
        let staged = StagedContent(
            hash: .init(of: [1, 2, 3]), size: 3, chunks: [chunk], proof: .read)
        let id = try await fixture.change { transaction, domain in
            try transaction.note(blob: 4, size: 3)
            return try transaction.create(
                ItemCreation(parent: root, name: "large", kind: .file, content: staged), in: domain)
        }
        try await fixture.delete(id)
        fixture.clock.advance(Self.day * 31)
        #expect(try await fixture.retain { try $0.purgeDeletedContents(RetentionPolicy()) } == 1)
        let dead =
            try fixture.store.read {
                try $0.value("SELECT count(*) FROM content WHERE refs = 0 AND dead IS NOT NULL")
            } ?? 0
        #expect(dead == 1)
        _ = try await fixture.change {
            try $0.create(
                ItemCreation(
                    parent: root, name: "again", kind: .file,
                    content: StagedContent(hash: staged.hash, size: 3, chunks: [], proof: .read)),
                in: $1)
        }
        #expect(try fixture.store.read { try StoreInvariants.broken(in: $0) } == [])
    }
}
