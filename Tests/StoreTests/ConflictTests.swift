import BasketContent
import BasketDatabase
import BasketModels
import BasketSupport
import Testing

@testable import BasketStore

@Suite("A conflict")
struct ConflictTests {
    /// A file with a current content and two that lost.
    private func conflicted() async throws -> (StoreFixture, ItemID, [Version], current: Version) {
        let fixture = try await StoreFixture()
        try await fixture.invite()
        let id = try await fixture.file("file.txt", "one")
        let base = try fixture.item(id).contentVersion
        _ = try await fixture.write("two", to: id, .base(base))
        let first = try await fixture.write("three", to: id, .baseOrKeep(base), by: fixture.phone)
        let second = try await fixture.write("four", to: id, .baseOrKeep(base), by: fixture.bob)
        let kept = try [#require(first), #require(second)]
        return (fixture, id, kept, try fixture.item(id).contentVersion)
    }

    private func resolve(
        _ fixture: StoreFixture, _ id: ItemID, keep: [Version], base: Version
    ) async throws -> [ItemID] {
        try await fixture.change { try $0.resolveConflicts(of: id, keep: keep, base: base, in: $1) }
    }

    @Test("ends with the current content, and what lost is an earlier version")
    func keepCurrent() async throws {
        let (fixture, id, _, current) = try await conflicted()
        let made = try await resolve(fixture, id, keep: [current], base: current)
        #expect(made == [])
        let item = try fixture.item(id)
        #expect(item.conflicts == 0)
        #expect(item.contentVersion == current)
        let standings = try fixture.store.read { try $0.versions(of: item).map(\.standing) }
        #expect(standings.filter { $0 == .earlier }.count == 3)
    }

    @Test("ends with the one that was chosen")
    func keepOther() async throws {
        let (fixture, id, kept, current) = try await conflicted()
        #expect(try await resolve(fixture, id, keep: [kept[1]], base: current) == [])
        #expect(try fixture.text(id) == "four")
        #expect(try fixture.names() == ["file.txt"])
        let texts = try fixture.store.read { db in
            try Set(db.versions(of: fixture.item(id)).map { try db.text($0.content) })
        }
        #expect(texts == ["one", "two", "three", "four"])
    }

    @Test("ends with all of them, side by side, under names that tell where they came from")
    func keepAll() async throws {
        let (fixture, id, kept, current) = try await conflicted()
        let made = try await resolve(fixture, id, keep: [current] + kept, base: current)
        #expect(made.count == 2)
        #expect(try fixture.text(id) == "two")
        #expect(
            try fixture.names() == [
                "file (conflict from desktop 2026-09-21).txt",
                "file (conflict from phone 2026-09-21).txt", "file.txt",
            ])
        #expect(try made.map { try fixture.text($0) } == ["three", "four"])
    }

    @Test("is not resolved by who has not seen the newest, nor by keeping nothing")
    func refused() async throws {
        let (fixture, id, kept, current) = try await conflicted()
        await #expect(throws: StoreError.nothingKept) {
            try await resolve(fixture, id, keep: [], base: current)
        }
        await #expect(throws: StoreError.staleContent(id)) {
            try await resolve(fixture, id, keep: [current], base: kept[0])
        }
        let unknown = Version(rawValue: 5)
        await #expect(throws: StoreError.noSuchVersion(unknown.description)) {
            try await resolve(fixture, id, keep: [current, unknown], base: current)
        }
        #expect(try fixture.item(id).conflicts == 2)
    }

    @Test("ends when its version is restored")
    func restore() async throws {
        let (fixture, id, kept, current) = try await conflicted()
        await #expect(throws: StoreError.staleContent(id)) {
            try await fixture.change {
                try $0.restoreVersion(kept[0], of: id, base: kept[1], in: $1)
            }
        }
        try await fixture.change { try $0.restoreVersion(kept[0], of: id, base: current, in: $1) }
        #expect(try fixture.text(id) == "three")
        #expect(try fixture.item(id).conflicts == 1)
    }

    @Test("of a file in the trash is resolved into the root")
    func inTrash() async throws {
        let (fixture, id, kept, current) = try await conflicted()
        try await fixture.change { try $0.trash(id, in: $1) }
        _ = try await resolve(fixture, id, keep: [current, kept[0]], base: current)
        #expect(try fixture.names() == ["file (conflict from phone 2026-09-21).txt"])
    }
}
