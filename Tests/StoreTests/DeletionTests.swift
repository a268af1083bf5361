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

    @Test("is not refused for what the same device has written over what it had seen")
    func ownWork() async throws {
        let fixture = try await StoreFixture()
        for isTrashed in [false, true] {
            let id = try await fixture.file("file \(isTrashed)")
            let base = try fixture.item(id).contentVersion
            _ = try await fixture.write("of an answer that was lost", to: id, .base(base))
            if isTrashed {
                try await fixture.change { try $0.trash(id, base: base, in: $1) }
            } else {
                try await fixture.delete(id, base: base)
            }
        }
        #expect(try fixture.names() == [])
        try await fixture.invite()
        let id = try await fixture.file("another's")
        let base = try fixture.item(id).contentVersion
        _ = try await fixture.write("by somebody else", to: id, .base(base), by: fixture.bob)
        await #expect(throws: StoreError.deletionRejected(id)) {
            try await fixture.delete(id, base: base)
        }
        await #expect(throws: StoreError.staleContent(id)) {
            try await fixture.change { try $0.trash(id, base: base, in: $1) }
        }
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
