import BasketDatabase
import BasketModels
import BasketSupport
import Testing

@testable import BasketStore

@Suite("An item's metadata")
struct MetadataTests {
    /// A change of one field each, and what comes back when it is refused.
    static let fields: [(name: String, change: @Sendable (inout MetadataChange, Int) -> Void)] = [
        ("created", { $0.created = .set(Timestamp(seconds: Int64($1))) }),
        ("modified", { $0.modified = .set(Timestamp(seconds: Int64($1))) }),
        ("lastUsed", { $0.lastUsed = .set(Timestamp(seconds: Int64($1))) }),
        ("mode", { $0.mode = FileMode(rawValue: 0o600 + $1).map { .set($0) } ?? .keep }),
        ("flags", { $0.flags = .set(ItemFlags(rawValue: $1)) }),
        ("favoriteRank", { $0.favoriteRank = .set(Int64($1)) }),
        ("tags", { $0.tags = .set(["tag \($1)"]) }),
        ("xattrs.user.x", { $0.xattrs["user.x"] = Base64Bytes([UInt8($1)]) }),
        ("xattrs.user.y", { $0.xattrs["user.y"] = Base64Bytes([UInt8($1)]) }),
    ]

    private func change(_ field: Int, to value: Int, base: Version?) -> ItemChange {
        var metadata = MetadataChange()
        Self.fields[field].change(&metadata, value)
        return ItemChange(base: base, metadata: metadata)
    }

    @Test("is merged field by field", arguments: fields.indices)
    func merged(field: Int) async throws {
        let fixture = try await StoreFixture()
        let id = try await fixture.file("file")
        let base = try fixture.item(id).metadataVersion

        let first = try await fixture.modify(id, change(field, to: 1, base: base))
        let other = try await fixture.modify(
            id, by: fixture.phone, change((field + 1) % Self.fields.count, to: 2, base: base))
        let same = try await fixture.modify(
            id, by: fixture.phone, change(field, to: 3, base: base))
        let equal = try await fixture.modify(
            id, by: fixture.phone, change(field, to: 1, base: base))
        let careless = try await fixture.modify(
            id, by: fixture.phone, change(field, to: 4, base: nil))

        #expect(first == [])
        #expect(other == [])
        #expect(same == [Self.fields[field].name])
        #expect(equal == [], "what is so already is no conflict")
        #expect(careless == [])
    }

    @Test("merges a rename with a change of tags, but not with a move")
    func place() async throws {
        let fixture = try await StoreFixture()
        let folder = try await fixture.folder("folder")
        let id = try await fixture.file("file")
        let base = try fixture.item(id).metadataVersion
        try await fixture.modify(id, ItemChange(base: base, name: "renamed"))
        var change = ItemChange(base: base, name: "other", parent: folder)
        change.metadata.tags = .set(["red"])
        let refused = try await fixture.modify(id, by: fixture.phone, change)
        #expect(refused == ["name", "parent"])
        #expect(try fixture.path("renamed").tags == #"["red"]"#)
    }

    @Test("is not in the way of content, nor content in its way")
    func independent() async throws {
        let fixture = try await StoreFixture()
        let id = try await fixture.file("file")
        let before = try fixture.item(id)
        _ = try await fixture.write("new", to: id)
        #expect(try fixture.item(id).contentVersion > before.contentVersion)
        let refused = try await fixture.modify(
            id, ItemChange(base: before.metadataVersion, name: "renamed"))
        #expect(refused == [])
        let renamed = try fixture.item(id)
        try await fixture.modify(id, ItemChange(name: "again"))
        #expect(try fixture.item(id).contentVersion == renamed.contentVersion)
        let kept = try await fixture.write("newer", to: id, .base(renamed.contentVersion))
        #expect(kept == nil)
    }

    @Test("is set and cleared")
    func cleared() async throws {
        let fixture = try await StoreFixture()
        let id = try await fixture.file("file")
        var set = MetadataChange()
        set.tags = .set(["red", "blue"])
        set.favoriteRank = .set(7)
        set.lastUsed = .set(Timestamp(seconds: 9))
        set.flags = .set([.hidden])
        try await fixture.modify(id, ItemChange(metadata: set))
        let there = try fixture.item(id)
        #expect(there.tags == #"["red","blue"]"#)
        #expect(there.favorite == 7)
        #expect(there.used == Timestamp(seconds: 9))
        #expect(there.flags == [.hidden])

        var clear = MetadataChange()
        clear.tags = .clear
        clear.favoriteRank = .clear
        clear.lastUsed = .clear
        clear.flags = .clear
        try await fixture.modify(id, ItemChange(metadata: clear))
        let gone = try fixture.item(id)
        #expect(gone.tags == nil)
        #expect(gone.favorite == nil)
        #expect(gone.used == nil)
        #expect(gone.flags == [])
        let rank = try fixture.work.rank
        try await fixture.modify(id, ItemChange(metadata: clear))
        #expect(try fixture.work.rank == rank, "nothing changed")
    }

    @Test("tells both Unicode forms of a tag and of a target apart")
    func unicode() async throws {
        let fixture = try await StoreFixture()
        let root = try fixture.root
        var metadata = MetadataChange()
        metadata.target = .set("caf\u{e9}")
        metadata.tags = .set(["caf\u{e9}"])
        let made = metadata
        let id = try await fixture.change {
            try $0.create(
                ItemCreation(parent: root, name: "link", kind: .symlink, metadata: made), in: $1)
        }
        metadata.target = .set("cafe\u{301}")
        metadata.tags = .set(["cafe\u{301}"])
        try await fixture.modify(id, ItemChange(metadata: metadata))
        let item = try fixture.item(id)
        #expect(item.target.map { Array($0.utf8) } == Array("cafe\u{301}".utf8))
        #expect(item.tags.map { Array($0.utf8) } == Array("[\"cafe\u{301}\"]".utf8))
    }

    @Test("keeps attributes by name, and lets one go when asked")
    func attributes() async throws {
        let fixture = try await StoreFixture()
        let id = try await fixture.file("file")
        var change = MetadataChange()
        change.xattrs = ["user.a": Base64Bytes([1]), "user.b": Base64Bytes([])]
        try await fixture.modify(id, ItemChange(metadata: change))
        #expect(try fixture.item(id).xattrs == 2)
        change.xattrs = ["user.a": Base64Bytes?.none, "user.gone": Base64Bytes?.none]
        try await fixture.modify(id, ItemChange(metadata: change))
        let left = try fixture.store.read { try $0.extendedAttributes(of: id) }
        #expect(left.map(\.name) == ["user.b"])
        #expect(left.map(\.value) == [[]])
    }

    private func attribute(_ name: String, _ value: [UInt8]?, base: Version? = nil) -> ItemChange {
        var metadata = MetadataChange()
        metadata.xattrs[name] = .some(value.map { Base64Bytes($0) })
        return ItemChange(base: base, metadata: metadata)
    }

    @Test("does not get a removed attribute back from who had not seen that it was")
    func removedAttribute() async throws {
        let fixture = try await StoreFixture()
        let id = try await fixture.file("file")
        try await fixture.modify(id, attribute("user.a", [1]))
        let base = try fixture.item(id).metadataVersion
        try await fixture.modify(id, attribute("user.a", nil, base: base))

        let late = try await fixture.modify(
            id, by: fixture.phone, attribute("user.a", [2], base: base))
        let other = try await fixture.modify(
            id, by: fixture.phone, attribute("user.b", [2], base: base))
        let same = try await fixture.modify(
            id, by: fixture.phone, attribute("user.a", nil, base: base))
        let left = try fixture.store.read { try $0.extendedAttributes(of: id) }

        #expect(late == ["xattrs.user.a"])
        #expect(other == [])
        #expect(same == [], "it is gone already")
        #expect(left.map(\.name) == ["user.b"])
        let seen = try fixture.item(id).metadataVersion
        #expect(try await fixture.modify(id, attribute("user.a", [3], base: seen)) == [])
        #expect(
            try await fixture.modify(id, by: fixture.phone, attribute("user.a", nil, base: seen))
                == ["xattrs.user.a"], "it was set again since")
    }

    @Test("remembers enough removals, and is careful about older ones")
    func manyRemovals() async throws {
        let fixture = try await StoreFixture()
        let id = try await fixture.file("file")
        let start = try fixture.item(id).metadataVersion
        for number in 0..<Transaction.rememberedRemovals {
            try await fixture.modify(id, attribute("user.\(number)", [1]))
            try await fixture.modify(id, attribute("user.\(number)", nil))
        }
        let fresh = try await fixture.modify(id, attribute("user.new", [1], base: start))
        try await fixture.modify(id, attribute("user.more", [1]))
        try await fixture.modify(id, attribute("user.more", nil))

        let forgotten = try await fixture.modify(id, attribute("user.0", [1], base: start))
        let unknown = try await fixture.modify(id, attribute("user.newer", [1], base: start))
        let recent = try fixture.item(id).metadataVersion
        let seen = try await fixture.modify(id, attribute("user.0", [1], base: recent))
        let rows = try fixture.store.read {
            try $0.value("SELECT count(*) FROM removed_xattr", of: Int.self)
        }

        #expect(fresh == [])
        #expect(forgotten == ["xattrs.user.0"])
        #expect(unknown == ["xattrs.user.newer"], "it may have been removed, too")
        #expect(seen == [])
        #expect(rows == Transaction.rememberedRemovals + 1)
    }

    @Test("tells both Unicode forms of an attribute's name apart")
    func unicodeAttributes() async throws {
        let fixture = try await StoreFixture()
        let id = try await fixture.file("file")
        try await fixture.modify(id, attribute("user.caf\u{e9}", [1]))
        try await fixture.modify(id, attribute("user.cafe\u{301}", [1]))
        #expect(try fixture.item(id).xattrs == 2)
    }

    @Test("has limits, which change nothing when they are passed")
    func limits() async throws {
        let fixture = try await StoreFixture()
        let id = try await fixture.file("file")
        let rank = try fixture.work.rank
        var changes: [MetadataChange] = Array(repeating: MetadataChange(), count: 7)
        changes[0].xattrs["user.x"] = Base64Bytes(
            Array(repeating: 1, count: Transaction.longestAttribute + 1))
        for number in 0..<3 {
            changes[1].xattrs["user.\(number)"] = Base64Bytes(
                Array(repeating: 1, count: Transaction.longestAttribute))
        }
        for number in 0...Transaction.mostAttributes {
            changes[2].xattrs["user.\(number)"] = Base64Bytes([])
        }
        changes[3].xattrs[String(repeating: "x", count: 256)] = Base64Bytes([])
        changes[4].tags = .set([String(repeating: "x", count: 256)])
        changes[5].tags = .set(Array(repeating: "x", count: Transaction.mostTags + 1))
        changes[6].created = .clear
        for change in changes {
            await #expect(throws: StoreError.self) {
                try await fixture.modify(id, ItemChange(name: "renamed", metadata: change))
            }
        }
        #expect(try fixture.work.rank == rank)
        #expect(try fixture.names() == ["file"])
        #expect(try fixture.item(id).xattrs == 0)
    }

    @Test("of a symlink has a target, and that of no other item")
    func symlinks() async throws {
        let fixture = try await StoreFixture()
        let root = try fixture.root
        func make(_ kind: ItemKind, _ target: FieldChange<String>) async throws -> ItemID {
            var metadata = MetadataChange()
            metadata.target = target
            let made = metadata
            return try await fixture.change {
                try $0.create(
                    ItemCreation(
                        parent: root, name: "link", kind: kind, metadata: made, ifExists: .rename),
                    in: $1)
            }
        }
        for bad in [
            FieldChange.keep, .clear, .set(""), .set("a\0"),
            .set(String(repeating: "x", count: 4096)),
        ] {
            await #expect(throws: StoreError.self) { _ = try await make(.symlink, bad) }
        }
        await #expect(throws: StoreError.self) { _ = try await make(.file, .set("x")) }
        let id = try await make(.symlink, .set("../else where"))
        #expect(try fixture.item(id).target == "../else where")
        #expect(try fixture.item(id).mode == 0o777)
        await #expect(throws: StoreError.notAFile(id)) {
            _ = try await fixture.write("text", to: id)
        }
    }
}
