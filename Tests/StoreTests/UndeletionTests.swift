import BasketDatabase
import BasketModels
import BasketSupport
import Testing

@testable import BasketStore

@Suite("Undeleting")
struct UndeletionTests {
    private func undelete(
        _ fixture: StoreFixture, since: Timestamp = VirtualClock.start, device: Identity? = nil,
        account: Identity? = nil
    ) async throws -> Int {
        let (number, person) = (device?.device, account?.account)
        return try await fixture.change {
            let wanted = Undeletion(since: since, device: number, account: person)
            return try $0.undelete(wanted, in: $1).restored
        }
    }

    @Test("brings back a tree with its contents, attributes, versions and conflicts")
    func tree() async throws {
        let fixture = try await StoreFixture()
        let top = try await fixture.folder("top")
        let file = try await fixture.file("file", "one", in: top)
        _ = try await fixture.write("two", to: file)
        var change = MetadataChange()
        change.xattrs["user.x"] = Base64Bytes([1])
        try await fixture.modify(file, ItemChange(metadata: change))
        let before = try (fixture.work.used, fixture.work.history, fixture.work.items)
        try await fixture.delete(top)
        #expect(try await undelete(fixture) == 2)
        #expect(try fixture.path("top", "file").id == file)
        #expect(try fixture.text(file) == "two")
        #expect(try fixture.item(top).children == 1)
        #expect(try fixture.store.read { try $0.versions(of: fixture.item(file)).count } == 2)
        #expect(try fixture.item(file).xattrs == 1)
        #expect(try (fixture.work.used, fixture.work.history, fixture.work.items) == before)
    }

    @Test(
        "leaves files deleted that were written anew, where that is wanted", arguments: [1, 3, 100])
    func replaced(limit: Int) async throws {
        let fixture = try await StoreFixture()
        let folder = try await fixture.folder("folder")
        let gone = try await fixture.file("gone", "only here", in: folder)
        var olds: [ItemID] = []
        for name in ["a", "b", "twice", "twice"] {
            olds.append(try await fixture.file(name, "old", in: folder))
            try await fixture.delete(try #require(olds.last))
            fixture.clock.advance(.seconds(1))
        }
        for name in ["a", "b"] { _ = try await fixture.file(name, "new", in: folder) }
        try await fixture.delete(gone)
        let kept = try await fixture.folder("a folder")
        try await fixture.delete(kept)
        _ = try await fixture.folder("a folder")

        var rest = Undeletion(
            since: VirtualClock.start, device: nil, account: nil, skippingReplaced: true)
        while let part = try await fixture.change({ [rest] in
            try $0.undeletePart(of: rest, limit: limit, in: $1)
        }) {
            rest = part
        }
        let done = try await fixture.change { [rest] in try $0.undelete(rest, in: $1) }
        // Of two, it is the newer one; and a folder comes back with what was in it, whatever is called so.
        #expect((done.restored, done.skipped) == (3, 3))
        #expect(try fixture.path("folder", "twice").id == olds[3])
        #expect(try fixture.path("folder", "gone").id == gone)
        #expect(try fixture.text(fixture.path("folder", "a").id) == "new")
        #expect(try fixture.item(folder).children == 4)
        #expect(try fixture.names() == ["a folder", "a folder 2", "folder"])
        // Who wants them all the same, gets them.
        #expect(try await undelete(fixture) == 3)
        #expect(try fixture.item(folder).children == 7)
    }

    @Test("takes only what the device, the account, and the time say")
    func choice() async throws {
        let fixture = try await StoreFixture()
        try await fixture.invite()
        let files = try await [fixture.file("a"), fixture.file("b"), fixture.file("c")]
        try await fixture.delete(files[0])
        fixture.clock.advance(.seconds(60))
        let later = fixture.clock.now
        try await fixture.delete(files[1], by: fixture.phone)
        try await fixture.delete(files[2], by: fixture.bob)
        #expect(try await undelete(fixture, device: fixture.phone) == 1)
        #expect(try fixture.names() == ["b"])
        #expect(try await undelete(fixture, since: later, account: fixture.ann) == 0)
        #expect(try await undelete(fixture, since: later) == 1)
        #expect(try fixture.names() == ["b", "c"])
        #expect(try await undelete(fixture, account: fixture.ann) == 1)
        #expect(try await undelete(fixture) == 0)
    }

    @Test("leaves alone what is deleted after it began")
    func later() async throws {
        let fixture = try await StoreFixture()
        let files = try await [fixture.file("a"), fixture.file("b"), fixture.file("c")]
        try await fixture.delete(files[0])
        try await fixture.delete(files[1])
        let wanted = Undeletion(
            since: VirtualClock.start, device: nil, account: nil,
            upTo: try fixture.work.anchor.rank)
        let part = try await fixture.change {
            try #require(try $0.undeletePart(of: wanted, limit: 1, in: $1))
        }
        try await fixture.delete(files[2])
        // Back already, and deleted again: that is a new wish.
        try await fixture.delete(files[0])
        #expect(try await fixture.change { try $0.undelete(part, in: $1) }.restored == 2)
        #expect(try fixture.names() == ["b"])
    }

    @Test("goes to the root when the folder does not come back, and bounces a taken name")
    func orphan() async throws {
        let fixture = try await StoreFixture()
        let folder = try await fixture.folder("folder")
        let file = try await fixture.file("file", in: folder)
        try await fixture.delete(folder, by: fixture.phone)
        _ = try await fixture.file("file")
        // The folder's own deletion is older than that: only the file comes back.
        try await fixture.change { transaction, _ in
            _ = try transaction.db.run(
                "UPDATE item SET deleted = deleted - 3000000000 WHERE id = ?", folder)
        }
        let since = fixture.clock.now - .seconds(3)
        #expect(try await undelete(fixture, since: since) == 1)
        #expect(try fixture.path("file 2").id == file)
    }

    @Test("leaves out what was purged: it would be empty")
    func purged() async throws {
        let fixture = try await StoreFixture()
        let folder = try await fixture.folder("folder")
        let file = try await fixture.file("file", in: folder)
        try await fixture.delete(folder)
        fixture.clock.advance(.seconds(86_400 * 40))
        #expect(try await fixture.retain { try $0.purgeDeletedContents(RetentionPolicy()) } == 1)
        #expect(try await fixture.retain { try $0.purgeDeletedContents(RetentionPolicy()) } == 0)
        #expect(try fixture.work.history == 0)
        #expect(try await undelete(fixture) == 1)
        #expect(try fixture.path("folder").id == folder)
        #expect(throws: StoreError.self) { try fixture.item(file) }
    }
}
