import BasketModels
import BasketSupport
import Testing

@testable import BasketStore

@Suite("Making an item whose name is taken")
struct CreationTests {
    private func make(
        _ fixture: StoreFixture, _ kind: ItemKind, _ policy: CollisionPolicy, text: String? = nil,
        base: Version? = nil, tag: String? = nil
    ) async throws -> ItemID {
        let root = try fixture.root
        var creation = ItemCreation(
            parent: root, name: "thing", kind: kind, content: text.map(StagedContent.init(text:)),
            ifExists: policy, base: base)
        if let tag { creation.metadata.tags = .set([tag]) }
        let asked = creation
        return try await fixture.change { try $0.create(asked, in: $1) }
    }

    @Test("is refused with `fail`, and says who has it", arguments: ItemKind.allCases)
    func fails(kind: ItemKind) async throws {
        let fixture = try await StoreFixture()
        let there = try await fixture.folder("thing")
        await #expect(throws: StoreError.self) { try await make(fixture, kind, .fail) }
        if kind != .symlink {
            await #expect(throws: StoreError.nameTaken(there)) {
                try await make(fixture, kind, .fail)
            }
        }
    }

    @Test("takes a folder that is there with `merge`, and what was said of it")
    func mergesFolder() async throws {
        let fixture = try await StoreFixture()
        let there = try await fixture.folder("thing")
        _ = try await fixture.file("inside", in: there)
        #expect(try await make(fixture, .folder, .merge, tag: "red") == there)
        #expect(try fixture.item(there).tags == #"["red"]"#)
        #expect(try fixture.item(there).children == 1)
    }

    @Test("overwrites a file with `merge` only for who has seen it")
    func mergesFile() async throws {
        let fixture = try await StoreFixture()
        let there = try await fixture.file("thing", "old")
        let base = try fixture.item(there).contentVersion
        await #expect(throws: StoreError.staleContent(there)) {
            try await make(fixture, .file, .merge, text: "new")
        }
        #expect(try await make(fixture, .file, .merge, text: "old") == there, "the same bytes")
        #expect(try await make(fixture, .file, .merge, text: "new", base: base) == there)
        #expect(try fixture.text(there) == "new")
        let versions = try fixture.store.read { try $0.versions(of: fixture.item(there)) }
        #expect(versions.map(\.standing) == [.current, .earlier])
        await #expect(throws: StoreError.staleContent(there)) {
            try await make(fixture, .file, .merge, text: "third", base: base)
        }
    }

    @Test("makes a second one with `rename`, of any kind")
    func renames() async throws {
        let fixture = try await StoreFixture()
        let there = try await fixture.folder("thing")
        let made = try await make(fixture, .file, .rename, text: "new")
        #expect(made != there)
        #expect(try fixture.path("thing 2").id == made)
    }

    @Test("is not in the way of what was deleted or trashed")
    func goneNames() async throws {
        let fixture = try await StoreFixture()
        let deleted = try await fixture.file("thing")
        try await fixture.delete(deleted)
        let trashed = try await make(fixture, .file, .fail)
        try await fixture.change { try $0.trash(trashed, in: $1) }
        let third = try await make(fixture, .file, .fail)
        #expect(try fixture.path("thing").id == third)
    }

    @Test("merges what is said of an item field by field with what others have changed")
    func mergesMetadata() async throws {
        let fixture = try await StoreFixture()
        let there = try await fixture.folder("there")
        let seen = try fixture.item(there).metadataVersion
        var red = MetadataChange()
        red.tags = .set(["red"])
        try await fixture.modify(there, by: nil, ItemChange(metadata: red))
        var wanted = MetadataChange()
        wanted.tags = .set(["blue"])
        wanted.favoriteRank = .set(1)
        let result = try await fixture.change { [wanted] in
            try $0.createOrMerge(
                ItemCreation(
                    parent: $1.root, name: "there", kind: .folder, metadata: wanted,
                    ifExists: .merge, base: seen), in: $1)
        }
        #expect(result == ItemCreation.Result(id: there, isNew: false, refused: ["tags"]))
        let item = try fixture.item(there)
        #expect(item.tags?.contains("red") == true && item.favorite == 1)
    }
}
