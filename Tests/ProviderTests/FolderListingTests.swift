import BasketModels
import BasketSupport
import FoundationEssentials
import Testing

@testable import BasketProvider

@Suite("A folder's listing that is kept for a while")
struct FolderListingTests {
    private static func item(_ id: String, _ name: String, in folder: String = "f") throws
        -> ItemInfo
    {
        let text = """
            {"id": "\(id)", "parent": "\(folder)", "name": "\(name)", "kind": "file",
            "contentVersion": "1xc5ysc7z9b4", "metadataVersion": "1xc5ysc7z9b4",
            "created": "2026-11-21T09:30:00Z", "modified": "2026-11-21T09:30:00Z"}
            """
        return try JSONDecoder().decode(ItemInfo.self, from: Data(text.utf8))
    }

    private static func key(_ name: String) -> [UInt8] { CaseRule.posix.collisionKey(of: name) }

    private static func empty() -> FolderListing {
        FolderListing(number: 1, folder: "f", rule: .posix)
    }

    @Test("says what there is, until something of that is told")
    func told() throws {
        var listing = Self.empty()
        #expect(listing.child(Self.key("a"), of: "f") == nil)
        listing.fill(
            [try Self.item("1", "a"), try Self.item("2", "b"), try Self.item("3", "c")], at: .zero)
        #expect(listing.child(Self.key("a"), of: "f")?.item?.id == "1")
        let none = try #require(listing.child(Self.key("z"), of: "f"))
        #expect(none.item == nil)
        #expect(listing.child(Self.key("a"), of: "g") == nil)

        listing.note(deleted: "1")
        listing.note(try Self.item("2", "y"))
        listing.note(try Self.item("4", "z"))
        listing.note(try Self.item("5", "c", in: "g"))

        for name in ["a", "b", "y", "z"] {
            #expect(listing.child(Self.key(name), of: "f") == nil, "\(name)")
        }
        #expect(listing.child(Self.key("c"), of: "f")?.item?.id == "3")
    }

    @Test("does not say what was told while it was on its way")
    func toldMeanwhile() throws {
        var listing = Self.empty()
        listing.note(deleted: "1")
        listing.note(try Self.item("4", "z"))
        listing.fill([try Self.item("1", "a"), try Self.item("2", "b")], at: .zero)
        #expect(listing.child(Self.key("a"), of: "f") == nil)
        #expect(listing.child(Self.key("z"), of: "f") == nil)
        #expect(listing.child(Self.key("b"), of: "f")?.item?.id == "2")
    }

    @Test("is kept for ten seconds, however long it took to come")
    func age() throws {
        var listing = Self.empty()
        #expect(!listing.isOver(at: .seconds(1000)))
        listing.fill([try Self.item("1", "a")], at: .seconds(1000))
        #expect(!listing.isOver(at: .seconds(1010)))
        #expect(listing.isOver(at: .seconds(1011)))
    }

    @Test("is worth nothing once all is told anew, there or everywhere")
    func all() throws {
        for (folder, isVoid) in [("f", true), ("g", false), (nil, true)] as [(String?, Bool)] {
            var listing = Self.empty()
            listing.fill([try Self.item("1", "a")], at: .zero)
            listing.note(all: folder)
            #expect(listing.isVoid == isVoid)
            #expect((listing.child(Self.key("a"), of: "f") == nil) == isVoid)
        }
        var listing = Self.empty()
        for number in 0...10_000 { listing.note(deleted: "\(number)") }
        #expect(listing.isVoid)
    }
}
