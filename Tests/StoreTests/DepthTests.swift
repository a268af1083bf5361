import BasketDatabase
import BasketModels
import Testing

@testable import BasketStore

@Suite("A tree of 100,000 folders in each other")
struct DepthTests {
    static let depth = 100_000

    @Test("is made, moved, walked, listed and deleted in seconds", .timeLimit(.minutes(60)))
    func deep() async throws {
        let fixture = try await StoreFixture()
        let root = try fixture.root
        let (top, bottom) = try await fixture.change { transaction, domain in
            var chain: [ItemID] = []
            var parent = root
            for _ in 0..<Self.depth {
                parent = try transaction.create(
                    ItemCreation(parent: parent, name: "d", kind: .folder), in: domain)
                chain.append(parent)
            }
            return (chain[0], parent)
        }
        await #expect(throws: StoreError.moveIntoItself(top)) {
            try await fixture.modify(top, ItemChange(parent: bottom))
        }
        let other = try await fixture.folder("other")
        try await fixture.modify(top, ItemChange(parent: other))

        let path = ["other"] + Array(repeating: "d", count: Self.depth)
        #expect(try fixture.store.read { try $0.item(at: path, in: fixture.work).id } == bottom)

        var anchor: Anchor?
        var count = 0
        repeat {
            let page = try fixture.store.read { db in
                try db.feed(of: fixture.work, since: anchor, limit: 10_000) { _ in true }
            }
            count += page.count
            anchor = page.hasMore ? page.anchor : nil
        } while anchor != nil
        #expect(count == Self.depth + 2)

        try await fixture.change { try $0.trash(top, in: $1) }
        try await fixture.change { try $0.restore(top, to: nil, name: nil, in: $1) }
        try await fixture.delete(other)
        #expect(try fixture.work.items == 0)
        let restored = try await fixture.change {
            try $0.undelete(
                Undeletion(since: VirtualClock.start, device: nil, account: nil), in: $1
            ).restored
        }
        #expect(restored == Self.depth + 1)
        #expect(try fixture.store.read { try $0.item(at: path, in: fixture.work).id } == bottom)

        // In steps, as a request does it, each of which goes down to where it left off.
        var parts = 0
        while try await fixture.change({
            try $0.deletePart(of: other.description, base: nil, recursive: true, in: $1)
        }) > 0 { parts += 1 }
        #expect(parts == (Self.depth - 1) / Transaction.mostDeleted)
        try await fixture.delete(other)
        fixture.clock.advance(.seconds(86_400 * 100))
        let forgotten = try await fixture.retain { try $0.forgetTombstones(RetentionPolicy()) }
        #expect(forgotten == Self.depth + 1)
    }
}
