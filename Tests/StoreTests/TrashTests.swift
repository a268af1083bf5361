import BasketModels
import BasketSupport
import Testing

@testable import BasketStore

@Suite("The trash")
struct TrashTests {
    @Test(
        "takes an item with all in it, and gives it back to where it was",
        arguments: WriterKind.allCases)
    func restored(kind: WriterKind) async throws {
        let fixture = try await StoreFixture(kind)
        let home = try await fixture.folder("home")
        let folder = try await fixture.folder("folder", in: home)
        let file = try await fixture.file("file", in: folder)
        try await fixture.change { try $0.trash(folder, in: $1) }
        let trashed = try fixture.item(folder)
        #expect(trashed.parent == (try fixture.trash))
        #expect(trashed.trashed == fixture.clock.now)
        #expect(trashed.trashedFrom == home)
        #expect(try fixture.item(file).parent == folder)
        #expect(try fixture.item(home).children == 0)
        let rank = try fixture.work.rank
        try await fixture.change { try $0.trash(folder, in: $1) }
        #expect(try fixture.work.rank == rank, "it is there already")

        try await fixture.change { try $0.restore(folder, to: nil, name: nil, in: $1) }
        #expect(try fixture.path("home", "folder", "file").id == file)
        #expect(try fixture.item(folder).trashed == nil)
        #expect(try fixture.item(folder).trashedFrom == nil)
    }

    @Test(
        "gives back to the root when home is deleted, or in the trash itself",
        arguments: [true, false])
    func homeIsGone(isTrashed: Bool) async throws {
        let fixture = try await StoreFixture()
        let home = try await fixture.folder("home")
        let file = try await fixture.file("file", in: home)
        try await fixture.change { try $0.trash(file, in: $1) }
        if isTrashed {
            try await fixture.change { try $0.trash(home, in: $1) }
        } else {
            try await fixture.delete(home)
        }
        try await fixture.change { try $0.restore(file, to: nil, name: nil, in: $1) }
        #expect(try fixture.path("file").id == file)
    }

    @Test("gives back under another name when its own is taken, or to where it is told")
    func nameTaken() async throws {
        let fixture = try await StoreFixture()
        let first = try await fixture.file("file")
        try await fixture.change { try $0.trash(first, in: $1) }
        let second = try await fixture.file("file")
        try await fixture.change { try $0.trash(second, in: $1) }
        _ = try await fixture.file("file")
        try await fixture.change { try $0.restore(first, to: nil, name: nil, in: $1) }
        #expect(try fixture.path("file 2").id == first)
        let folder = try await fixture.folder("folder")
        await #expect(throws: StoreError.self, "the trash is where it lies") {
            try await fixture.change {
                try $0.restore(second, to: $1.trash, name: nil, in: $1)
            }
        }
        try await fixture.change { try $0.restore(second, to: folder, name: "other", in: $1) }
        #expect(try fixture.path("folder", "other").id == second)
        await #expect(throws: StoreError.notInTrash(second)) {
            try await fixture.change { try $0.restore(second, to: nil, name: nil, in: $1) }
        }
    }

    @Test("is refused with newer content than was seen, but a rename does not matter")
    func stale() async throws {
        let fixture = try await StoreFixture()
        let id = try await fixture.file("file")
        let base = try fixture.item(id).contentVersion
        _ = try await fixture.write("newer", to: id)
        await #expect(throws: StoreError.staleContent(id)) {
            try await fixture.change { try $0.trash(id, base: base, in: $1) }
        }
        let newer = try fixture.item(id).contentVersion
        try await fixture.modify(id, ItemChange(name: "renamed"))
        try await fixture.change { try $0.trash(id, base: newer, in: $1) }
    }

    @Test("is emptied as a whole, and stays")
    func emptied() async throws {
        let fixture = try await StoreFixture()
        for name in ["a", "b"] {
            let folder = try await fixture.folder(name)
            _ = try await fixture.file("inside", in: folder)
            try await fixture.change { try $0.trash(folder, in: $1) }
        }
        await #expect(throws: StoreError.folderNotEmpty(try fixture.trash)) {
            try await fixture.change {
                try $0.delete("trash", base: nil, recursive: false, in: $1)
            }
        }
        try await fixture.change { try $0.delete("trash", base: nil, recursive: true, in: $1) }
        #expect(try fixture.item(fixture.trash).children == 0)
        #expect(try fixture.work.items == 0)
        #expect(try fixture.work.used == 0)
    }

    @Test("is switched off only when it is empty; then it is unknown, and takes nothing")
    func switchedOff() async throws {
        let fixture = try await StoreFixture()
        let there = try await fixture.file("there")
        let file = try await fixture.file("file")
        let trash = try fixture.trash
        try await fixture.change { try $0.trash(there, in: $1) }
        var change = DomainChange()
        change.hasTrash = false
        change.quota = .set(5)
        await #expect(throws: StoreError.trashNotEmpty) {
            try await fixture.change { [change] in try $0.change($1, change) }
        }
        #expect(try fixture.work.hasTrash && fixture.work.quota == nil)
        try await fixture.change { try $0.restore(there, to: nil, name: nil, in: $1) }
        try await fixture.change { [change] in try $0.change($1, change) }
        await #expect(throws: StoreError.trashDisabled) {
            try await fixture.change { try $0.trash(file, in: $1) }
        }
        await #expect(throws: StoreError.noSuchItem(trash.description)) {
            try await fixture.modify(file, ItemChange(parent: trash))
        }
        for name in ["trash", trash.description] {
            await #expect(throws: StoreError.self) {
                try await fixture.change {
                    try $0.delete(name, base: nil, recursive: true, in: $1)
                }
            }
            #expect(throws: StoreError.self) {
                try fixture.store.read { try $0.item(name, in: fixture.work) }
            }
        }
        #expect(try fixture.names() == ["file", "there"])
    }

    @Test("is swept of what lay there too long, from when it came, also when it came back")
    func swept() async throws {
        let fixture = try await StoreFixture()
        let policy = RetentionPolicy(trash: .seconds(1000))
        let old = try await fixture.file("old")
        try await fixture.change { try $0.trash(old, in: $1) }
        fixture.clock.advance(.seconds(800))
        let young = try await fixture.file("young")
        try await fixture.change { try $0.trash(young, in: $1) }
        fixture.clock.advance(.seconds(300))
        #expect(try await fixture.retain { try $0.emptyTrash(policy) } == 1)
        #expect(throws: StoreError.self) { try fixture.item(old) }
        _ = try fixture.item(young)
        let restored = try await fixture.change {
            try $0.undelete(
                Undeletion(since: VirtualClock.start, device: nil, account: nil), in: $1
            ).restored
        }
        #expect(restored == 1)
        #expect(try fixture.item(old).parent == (try fixture.trash))
        #expect(try await fixture.retain { try $0.emptyTrash(policy) } == 0)
        #expect(try await fixture.retain { try $0.emptyTrash(RetentionPolicy()) } == 0)
    }
}
