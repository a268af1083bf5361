import BasketDatabase
import BasketModels
import BasketSupport
import Testing

@testable import BasketStore

@Suite("A folder's pages")
struct ListingTests {
    private func names(
        _ fixture: StoreFixture, _ folder: ItemID, _ order: ItemOrder, _ isDescending: Bool,
        page: Int
    ) throws -> [String] {
        var names: [String] = []
        var cursor: ListCursor?
        try fixture.store.read { db in
            let work = try fixture.work
            let folder = try db.item(folder, in: work)
            repeat {
                var count = 0
                var next: ListCursor?
                try db.children(
                    of: folder, in: work, order: order, isDescending: isDescending, after: cursor
                ) { row throws(SQLiteError) in
                    names.append(try row[ItemColumn.name])
                    count += 1
                    guard count == page else { return true }
                    next = try db.cursor(after: row, order: order, isDescending: isDescending)
                    return false
                }
                // As a client gives it back.
                cursor = next.flatMap { ListCursor($0.text) }
                #expect(cursor == next)
            } while cursor != nil
        }
        return names
    }

    @Test(
        "hold each item once, in order, whatever their size", arguments: ItemOrder.allCases,
        [true, false])
    func pages(order: ItemOrder, isDescending: Bool) async throws {
        let fixture = try await StoreFixture()
        let folder = try await fixture.folder("folder")
        for number in 0..<7 {
            let id = try await fixture.file(
                "f\((number * 3) % 7)", String(repeating: "x", count: number % 3), in: folder)
            var change = ItemChange()
            change.metadata.modified = .set(Timestamp(seconds: Int64(number % 2)))
            change.metadata.created = .set(Timestamp(seconds: Int64(number % 4)))
            try await fixture.modify(id, change)
        }
        _ = try await fixture.folder("sub", in: folder)
        try await fixture.delete(try await fixture.file("gone", in: folder))
        let whole = try names(fixture, folder, order, isDescending, page: 100)
        #expect(whole.count == 8)
        #expect(Set(whole).count == 8)
        #expect(try names(fixture, folder, order, !isDescending, page: 100) == whole.reversed())
        if order == .name, !isDescending { #expect(whole == whole.sorted()) }
        if order == .kind { #expect((isDescending ? whole.first : whole.last) == "sub") }
        for page in 1...8 {
            #expect(try names(fixture, folder, order, isDescending, page: page) == whole)
        }
    }

    @Test("list the trash, where names may be the same", arguments: ItemOrder.allCases)
    func trash(order: ItemOrder) async throws {
        let fixture = try await StoreFixture()
        for _ in 0..<3 {
            let id = try await fixture.file("same")
            try await fixture.change { try $0.trash(id, in: $1) }
        }
        for page in 1...3 {
            let found = try names(fixture, fixture.trash, order, false, page: page)
            #expect(found == ["same", "same", "same"])
        }
    }

    @Test("do not go on in another order, nor from what is no cursor")
    func cursors() async throws {
        let fixture = try await StoreFixture()
        let cursor = ListCursor(
            order: .size, isDescending: false, key: [], number: 1, item: ItemID(rawValue: 5))
        #expect(throws: StoreError.cursorExpired) {
            try fixture.store.read { db in
                let work = try fixture.work
                try db.children(
                    of: db.item(work.root, in: work), in: work, order: .name, isDescending: false,
                    after: cursor
                ) { _ in true }
            }
        }
        for text in ["", "AAAA", "////", String(repeating: "A", count: 5000), "_" + cursor.text] {
            #expect(ListCursor(text) == nil)
        }
    }
}
