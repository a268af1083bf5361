import BasketDatabase
import BasketModels
import BasketSupport
import Testing

@testable import BasketStore

@Suite("Deleting an item")
struct DeletionTests {
    @Test("takes all in it along, each as a tombstone", arguments: WriterKind.allCases)
    func recursive(kind: WriterKind) async throws {
        let fixture = try await StoreFixture(kind)
        let top = try await fixture.folder("top")
        let inner = try await fixture.folder("inner", in: top)
        let file = try await fixture.file("file", in: inner)
        let anchor = try fixture.work.anchor
        await #expect(throws: StoreError.folderNotEmpty(top)) {
            try await fixture.delete(top, recursive: false)
        }
        try await fixture.delete(top, recursive: true)
        var tombstones: Set<ItemID> = []
        let page = try fixture.store.read { db in
            try db.feed(of: fixture.work, since: anchor, limit: 10) { row throws(SQLiteError) in
                if !row.isNull(ItemColumn.deleted) { tombstones.insert(try row[ItemColumn.id]) }
                return true
            }
        }
        #expect(page.count == 3)
        #expect(tombstones == [top, inner, file])
        #expect(try fixture.names() == [])
        for id in [top, inner, file] {
            #expect(throws: StoreError.noSuchItem(id.description)) { try fixture.item(id) }
        }
        #expect(try fixture.item(fixture.root).children == 0)
    }

    @Test("of an empty folder needs no permission for more")
    func emptyFolder() async throws {
        let fixture = try await StoreFixture()
        let folder = try await fixture.folder("folder")
        let file = try await fixture.file("file", in: folder)
        try await fixture.delete(file, recursive: false)
        try await fixture.delete(folder, recursive: false)
        #expect(try fixture.work.items == 0)
    }

    @Test("is refused when somebody has written since, but wins over a rename")
    func base() async throws {
        let fixture = try await StoreFixture()
        let id = try await fixture.file("file")
        let base = try fixture.item(id).contentVersion
        _ = try await fixture.write("newer", to: id)
        await #expect(throws: StoreError.deletionRejected(id)) {
            try await fixture.delete(id, base: base)
        }
        let newer = try fixture.item(id).contentVersion
        try await fixture.modify(id, ItemChange(name: "renamed"))
        try await fixture.delete(id, base: newer)
        #expect(try fixture.names() == [])
    }

    @Test("twice is done already; of what never was it is an error")
    func twice() async throws {
        let fixture = try await StoreFixture()
        let id = try await fixture.file("file")
        try await fixture.delete(id)
        let rank = try fixture.work.rank
        try await fixture.delete(id)
        #expect(try fixture.work.rank == rank)
        await #expect(throws: StoreError.noSuchItem("zzz")) {
            try await fixture.change { try $0.delete("zzz", base: nil, recursive: true, in: $1) }
        }
    }
}

@Suite("Undeleting")
struct UndeletionTests {
    private func undelete(
        _ fixture: StoreFixture, since: Timestamp = VirtualClock.start, device: Identity? = nil,
        account: Identity? = nil
    ) async throws -> Int {
        let (number, person) = (device?.device, account?.account)
        return try await fixture.change {
            try $0.undelete(since: since, device: number, account: person, in: $1)
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
