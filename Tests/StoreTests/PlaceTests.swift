import BasketModels
import Testing

@testable import BasketStore

@Suite("Moving an item")
struct PlaceTests {
    @Test("keeps its identifier, its content and its children")
    func keeps() async throws {
        let fixture = try await StoreFixture()
        let from = try await fixture.folder("from")
        let to = try await fixture.folder("to")
        let inner = try await fixture.folder("inner", in: from)
        let file = try await fixture.file("file", in: inner)
        let before = try fixture.item(inner)

        try await fixture.modify(inner, ItemChange(name: "moved", parent: to))

        #expect(try fixture.path("to", "moved", "file").id == file)
        #expect(try fixture.item(from).children == 0)
        #expect(try fixture.item(to).children == 1)
        let after = try fixture.item(inner)
        #expect(after.contentVersion == before.contentVersion)
        #expect(after.metadataVersion > before.metadataVersion)
        #expect(try fixture.item(file).rank < after.rank)
    }

    @Test("into itself is refused, however deep", arguments: [0, 1, 5])
    func intoItself(depth: Int) async throws {
        let fixture = try await StoreFixture()
        let top = try await fixture.folder("top")
        var inner = top
        for level in 0..<depth { inner = try await fixture.folder("\(level)", in: inner) }
        let target = inner
        await #expect(throws: StoreError.moveIntoItself(top)) {
            try await fixture.modify(top, ItemChange(parent: target))
        }
        #expect(try fixture.path("top").id == top)
    }

    @Test("to where the name is taken is refused, bounced, or nothing new")
    func nameTaken() async throws {
        let fixture = try await StoreFixture()
        let folder = try await fixture.folder("folder")
        let there = try await fixture.file("a", in: folder)
        let moving = try await fixture.file("a")
        await #expect(throws: StoreError.nameTaken(there)) {
            try await fixture.modify(moving, ItemChange(parent: folder))
        }
        await #expect(throws: StoreError.nameTaken(there)) {
            try await fixture.modify(moving, ItemChange(parent: folder, ifExists: .merge))
        }
        try await fixture.modify(moving, ItemChange(parent: folder, ifExists: .rename))
        #expect(try fixture.path("folder", "a 2").id == moving)
        let rank = try fixture.work.rank
        try await fixture.modify(moving, ItemChange(name: "a 2", parent: folder))
        #expect(try fixture.work.rank == rank)
    }

    @Test("to what is no folder, or is not there, is refused")
    func badParent() async throws {
        let fixture = try await StoreFixture()
        let file = try await fixture.file("file")
        let gone = try await fixture.folder("gone")
        try await fixture.delete(gone)
        let moving = try await fixture.file("moving")
        await #expect(throws: StoreError.notAFolder(file)) {
            try await fixture.modify(moving, ItemChange(parent: file))
        }
        await #expect(throws: StoreError.noSuchItem(gone.description)) {
            try await fixture.modify(moving, ItemChange(parent: gone))
        }
        await #expect(throws: StoreError.noSuchItem(gone.description)) {
            _ = try await fixture.file("new", in: gone)
        }
        await #expect(throws: StoreError.notAFolder(file)) {
            _ = try await fixture.file("new", in: file)
        }
    }

    @Test("is refused for the root and the trash")
    func permanent() async throws {
        let fixture = try await StoreFixture()
        let folder = try await fixture.folder("folder")
        for (id, name) in [(try fixture.root, "root"), (try fixture.trash, "trash")] {
            await #expect(throws: StoreError.permanentItem(name)) {
                try await fixture.modify(id, ItemChange(parent: folder))
            }
            await #expect(throws: StoreError.permanentItem(name)) {
                try await fixture.modify(id, ItemChange(name: "other"))
            }
            await #expect(throws: StoreError.permanentItem(name)) {
                try await fixture.change { try $0.trash(id, in: $1) }
            }
        }
        let root = try fixture.root
        await #expect(throws: StoreError.permanentItem("root")) {
            try await fixture.delete(root)
        }
        let trash = try fixture.trash
        await #expect(throws: StoreError.permanentItem("trash")) {
            _ = try await fixture.file("new", in: trash)
        }
    }

    @Test("swaps two names in one transaction, which is one rank")
    func swap() async throws {
        let fixture = try await StoreFixture()
        let first = try await fixture.file("first")
        let second = try await fixture.file("second")
        let rank = try fixture.work.rank
        try await fixture.change { transaction, domain in
            _ = try transaction.modify(first, ItemChange(name: "between"), in: domain)
            _ = try transaction.modify(second, ItemChange(name: "first"), in: domain)
            _ = try transaction.modify(first, ItemChange(name: "second"), in: domain)
        }
        #expect(try fixture.path("first").id == second)
        #expect(try fixture.path("second").id == first)
        #expect(try fixture.item(first).rank == rank + 1)
        #expect(try fixture.item(second).rank == rank + 1)
    }

    @Test("a name that changed its kind belongs to another item")
    func typeChange() async throws {
        let fixture = try await StoreFixture()
        let file = try await fixture.file("thing")
        let root = try fixture.root
        for policy in [CollisionPolicy.fail, .merge] {
            await #expect(throws: StoreError.nameTaken(file)) {
                try await fixture.change {
                    try $0.create(
                        ItemCreation(parent: root, name: "thing", kind: .folder, ifExists: policy),
                        in: $1)
                }
            }
        }
        let folder = try await fixture.change { transaction, domain in
            try transaction.delete(file.description, base: nil, recursive: false, in: domain)
            return try transaction.create(
                ItemCreation(parent: root, name: "thing", kind: .folder), in: domain)
        }
        #expect(folder != file)
        #expect(try fixture.path("thing").kind == .folder)
    }
}
