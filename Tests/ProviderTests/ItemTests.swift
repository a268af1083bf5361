import BasketConnection
import BasketModels
import BasketSupport
import FileProvider
import Foundation
import Testing
import UniformTypeIdentifiers

@testable import BasketProvider

@Suite("An item", .timeLimit(.minutes(60)))
struct ItemTests {
    @Test(
        "has dates as they were, to the ends of what there is",
        arguments: [Int64.min, .min + 1, -1_000_000_001, -1, 0, 1, 999_999_999, .max])
    func dates(nanoseconds: Int64) {
        let date = Timestamp(nanoseconds: nanoseconds).date
        #expect(abs(date.timeIntervalSince1970 - Double(nanoseconds) / 1e9) < 1e-5)
    }

    @Test("keeps a date as it is, to the system and back", arguments: UInt64(0)..<50)
    func dates(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let nanoseconds = Int64(bitPattern: random.next()) / 2
        let date = Timestamp(nanoseconds: nanoseconds).date

        let stamp = try #require(Timestamp(date))

        #expect(stamp.date == date)
        #expect(abs(stamp.nanoseconds - nanoseconds) < 2000)
        #expect(Timestamp(Date(timeIntervalSinceReferenceDate: 1e30)) == nil)
        #expect(Timestamp(Date(timeIntervalSinceReferenceDate: .nan)) == nil)
        #expect(Timestamp(Date(timeIntervalSinceReferenceDate: 9.223_372_036e18)) == nil)
    }

    @Test("comes back with everything that was said of it")
    func everything() async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            let wanted = TestItem("report.odt", id: "template-1")
            wanted.creationDate = Date(timeIntervalSince1970: 1_000_000.5)
            wanted.contentModificationDate = Date(timeIntervalSince1970: 2_000_000.25)
            wanted.lastUsedDate = Date(timeIntervalSince1970: 3_000_000)
            wanted.tagData = Data(#"["red","ä"]"#.utf8)
            wanted.favoriteRank = 7
            wanted.fileSystemFlags = [.userReadable, .userExecutable, .hidden]
            wanted.extendedAttributes = [
                "user.lang": Data("en".utf8), "user.basket.mode": Data("0640".utf8),
            ]

            let reply = try await device.create(
                wanted, Array("hello".utf8),
                fields: [
                    .filename, .parentItemIdentifier, .contents, .creationDate,
                    .contentModificationDate, .lastUsedDate, .tagData, .favoriteRank,
                    .fileSystemFlags, .extendedAttributes, .typeAndCreator,
                ])

            let item = try #require(reply.item as? BasketItem)
            #expect(reply.pending == .typeAndCreator)
            #expect(!reply.shouldFetch)
            #expect(item.filename == "report.odt")
            #expect(item.parentItemIdentifier == .rootContainer)
            #expect(item.creationDate == wanted.creationDate)
            #expect(item.contentModificationDate == wanted.contentModificationDate)
            #expect(item.lastUsedDate == wanted.lastUsedDate)
            #expect(item.tagData == wanted.tagData)
            #expect(item.favoriteRank == 7)
            #expect(item.fileSystemFlags == wanted.fileSystemFlags)
            #expect(item.documentSize == 5)
            #expect(item.info.mode?.rawValue == 0o540)
            #expect(item.info.xattrs == ["user.lang": Base64Bytes(Array("en".utf8))])
            #expect(
                item.extendedAttributes == [
                    "user.lang": Data("en".utf8), "user.basket.mode": Data("0540".utf8),
                ])
            #expect(item.capabilities.contains([.allowsWriting, .allowsTrashing]))
            #expect(item.contentType.conforms(to: .data))
            let stored = try await observer.item(item.info.id, in: "Work")
            #expect(stored.tags == ["red", "ä"])
        }
    }

    @Test("changes by exactly the fields that changed")
    func fields() async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            let made = try await device.create(TestItem("a.txt", id: "1"), [1])
            let item = TestItem(of: try #require(made.item))
            item.filename = "b.txt"
            item.extendedAttributes = ["user.a": Data([1]), "user.b": Data([2])]
            item.tagData = Data(#"["x"]"#.utf8)
            var reply = try await device.modify(item, [.extendedAttributes])
            #expect(reply.item?.filename == "a.txt")
            #expect(reply.item?.tagData == .some(nil))

            let next = TestItem(of: try #require(reply.item))
            next.extendedAttributes = ["user.b": Data([3])]
            next.fileSystemFlags = [.userReadable]
            next.lastUsedDate = Date(timeIntervalSince1970: 5)
            reply = try await device.modify(
                next, [.extendedAttributes, .fileSystemFlags, .lastUsedDate])
            #expect(reply.item?.extendedAttributes == ["user.b": Data([3])])
            #expect(reply.item?.fileSystemFlags == [.userReadable])

            let last = TestItem(of: try #require(reply.item))
            last.lastUsedDate = nil
            last.typeAndCreator = NSFileProviderTypeAndCreator(type: 1, creator: 2)
            reply = try await device.modify(last, [.lastUsedDate, .typeAndCreator])
            #expect(reply.item?.lastUsedDate == .some(nil))
            #expect(reply.pending == .typeAndCreator)
            let only = try await device.modify(last, .typeAndCreator)
            #expect(only.pending == .typeAndCreator)
            let stored = try await observer.item(last.itemIdentifier.rawValue, in: "Work")
            #expect(stored.xattrs == ["user.b": Base64Bytes([3])])
            #expect(stored.mode?.rawValue == 0o444)
        }
    }

    @Test("has the usual mode again when the attribute that told of another one is gone")
    func usualMode() async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            let wanted = TestItem("key.txt", id: "1")
            wanted.extendedAttributes = [
                "user.a": Data([1]), "user.basket.mode": Data("0600".utf8),
            ]
            let made = try await device.create(
                wanted, [1], fields: [.filename, .parentItemIdentifier, .extendedAttributes])
            let item = TestItem(of: try #require(made.item))
            #expect(item.extendedAttributes == wanted.extendedAttributes)

            item.extendedAttributes = ["user.a": Data([1])]
            let reply = try await device.modify(item, [.extendedAttributes])

            #expect(reply.item?.extendedAttributes == ["user.a": Data([1])])
            let stored = try await observer.item(item.itemIdentifier.rawValue, in: "Work")
            #expect(stored.mode?.rawValue == 0o644)
        }
    }

    @Test(
        "is a folder that its owner cannot get into, where its mode says so, and one to get into where nothing does",
        arguments: [0o444, 0o455, 0o200, 0o755])
    func closedFolder(mode: Int) async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            let wanted = TestItem("closed", id: "1")
            wanted.contentType = .folder
            wanted.fileSystemFlags = Self.flags(of: mode)
            wanted.extendedAttributes = [
                "user.basket.mode": Data(("0" + String(mode, radix: 8)).utf8)
            ]

            let made = try await device.create(
                wanted, nil,
                fields: [
                    .filename, .parentItemIdentifier, .fileSystemFlags, .extendedAttributes,
                ])

            let item = TestItem(of: try #require(made.item))
            #expect(item.fileSystemFlags == wanted.fileSystemFlags)
            #expect(
                item.extendedAttributes == (mode == 0o755 ? [:] : wanted.extendedAttributes))
            var stored = try await observer.item(item.itemIdentifier.rawValue, in: "Work")
            #expect(stored.mode?.rawValue == mode)

            let open = TestItem("open", id: "2")
            open.contentType = .folder
            open.fileSystemFlags = [.userReadable, .userWritable]
            let other = try await device.create(
                open, nil, fields: [.filename, .parentItemIdentifier, .fileSystemFlags])
            let opened = try #require(other.item).itemIdentifier.rawValue
            stored = try await observer.item(opened, in: "Work")
            #expect(stored.mode?.rawValue == 0o755)
        }
    }

    private static func flags(of mode: Int) -> NSFileProviderFileSystemFlags {
        var flags: NSFileProviderFileSystemFlags = []
        if mode & 0o400 != 0 { flags.insert(.userReadable) }
        if mode & 0o200 != 0 { flags.insert(.userWritable) }
        if mode & 0o100 != 0 { flags.insert(.userExecutable) }
        return flags
    }

    private static let mayOnlyRead = NSFileProviderItemCapabilities.allowsReading

    @Test("may be read only by whoever may only read")
    func reader() async throws {
        try await TestServer.with { server, observer in
            try await observer.deleteDomain("Work")
            _ = try await observer.createAccount(
                CreateAccountRequest(name: "bob", password: TestServer.password))
            let (bob, _) = try await server.connection("desk", of: "bob")
            _ = try await bob.createDomain(CreateDomainRequest(name: "Work"))
            let folder = try await bob.create(
                CreateItemRequest(parent: "root", name: "folder", kind: .folder), in: "Work")
            _ = try await bob.create(
                CreateItemRequest(parent: folder.item.id, name: "file", kind: .file), in: "Work")
            _ = try await bob.setMember("ada", of: "Work", role: .reader)
            let device = try await Device("laptop", server)

            let all = try await device.all(.workingSet).items
            #expect(Set(all.map(\.filename)).isSuperset(of: ["folder", "file"]))
            for item in all { #expect(item.capabilities == Self.mayOnlyRead) }
            for place in [NSFileProviderItemIdentifier.rootContainer, .trashContainer] {
                #expect(try await device.item(place).capabilities == Self.mayOnlyRead)
            }
            // Whoever does it all the same is refused.
            let file = TestItem(of: try #require(all.last))
            await #expect {
                try await device.modify(file, .contents, [1])
            } throws: {
                NSFileProviderError(bridging: $0)?.code == .cannotSynchronize
            }
        }
    }

    @Test("may be changed by its owner, and the root only be added to")
    func owner() async throws {
        try await TestServer.with { server, _ in
            let device = try await Device("laptop", server)
            let root = try #require(try await device.item(.rootContainer) as? BasketItem)
            #expect(root.capabilities == [.allowsReading, .allowsAddingSubItems])
            #expect(!root.filename.isEmpty)
            #expect(!root.isShared)
            #expect(try await device.item(.trashContainer).capabilities == Self.mayOnlyRead)
        }
    }
}
