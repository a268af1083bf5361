import BasketConnection
import BasketModels
import FileProvider
import Foundation
import Synchronization
import Testing
import UniformTypeIdentifiers

@testable import BasketProvider

@Suite("A change", .timeLimit(.minutes(60)))
struct ChangeTests {
    static func folder(
        _ name: String, _ device: Device,
        in parent: NSFileProviderItemIdentifier = .rootContainer
    ) async throws -> TestItem {
        let item = TestItem(name, id: "new \(name)")
        item.contentType = .folder
        item.parentItemIdentifier = parent
        return TestItem(of: try #require(try await device.create(item).item))
    }

    static func file(_ name: String, _ bytes: [UInt8], _ device: Device) async throws -> TestItem {
        let reply = try await device.create(TestItem(name, id: "new \(name)"), bytes)
        return TestItem(of: try #require(reply.item))
    }

    @Test("of a content is the next version", arguments: [10, 70_000, 3_000_000])
    func content(size: Int) async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            let item = try await Self.file("a", someBytes(size, seed: 1), device)
            var bytes = someBytes(size, seed: 1)
            bytes[size / 2] ^= 1
            item.contentModificationDate = Date(timeIntervalSince1970: 77)

            let reply = try await device.modify(
                item, [.contents, .contentModificationDate], bytes)

            #expect(!reply.shouldFetch)
            #expect(reply.item?.contentModificationDate == .some(item.contentModificationDate))
            #expect(reply.item?.itemVersion != item.itemVersion)
            #expect(try await device.fetch(item.itemIdentifier).bytes == bytes)
            let versions = try await observer.versions(
                of: item.itemIdentifier.rawValue, in: "Work")
            #expect(versions.count == 2)
        }
    }

    @Test("of name, folder, content and date at once is one call, also when it is repeated")
    func allAtOnce() async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            let folder = try await Self.folder("folder", device)
            let item = try await Self.file("a.txt", [1], device)
            let base = item.itemVersion
            item.filename = "b.txt"
            item.parentItemIdentifier = folder.itemIdentifier
            item.contentModificationDate = Date(timeIntervalSince1970: 77)

            for _ in 1...2 {
                let reply = try await device.modify(
                    item, base: base,
                    [.filename, .parentItemIdentifier, .contents, .contentModificationDate],
                    [2, 3])

                #expect(reply.pending == [])
                #expect(!reply.shouldFetch)
                let changed = try #require(reply.item)
                #expect(changed.itemIdentifier == item.itemIdentifier)
                #expect(changed.filename == "b.txt")
                #expect(changed.parentItemIdentifier == folder.itemIdentifier)
                #expect(changed.contentModificationDate == item.contentModificationDate)
                #expect(changed.documentSize == 2)
                device.restart()
            }
            #expect(try await device.fetch(item.itemIdentifier).bytes == [2, 3])
            let root = try await observer.children(of: "root", in: "Work").items
            #expect(root.map(\.name) == ["folder"])
            let inside = try await observer.children(
                of: folder.itemIdentifier.rawValue, in: "Work"
            ).items
            #expect(inside.map(\.name) == ["b.txt"])
        }
    }

    @Test("moves into the trash and out of it, with another name at once")
    func trash() async throws {
        try await TestServer.with { server, _ in
            let device = try await Device("laptop", server)
            var item = try await Self.file("a", [1], device)
            item.parentItemIdentifier = .trashContainer
            item = TestItem(
                of: try #require(try await device.modify(item, .parentItemIdentifier).item))
            #expect(item.parentItemIdentifier == .trashContainer)
            item.parentItemIdentifier = .rootContainer
            item.filename = "b"

            let back = try await device.modify(item, [.parentItemIdentifier, .filename])

            #expect(back.item?.parentItemIdentifier == .rootContainer)
            #expect(back.item?.filename == "b")
        }
    }

    @Test("moves out of the trash with another name and another content at once")
    func untrashed() async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            let folder = try await Self.folder("folder", device)
            var item = try await Self.file("a", [1], device)
            item.parentItemIdentifier = .trashContainer
            item = TestItem(
                of: try #require(try await device.modify(item, .parentItemIdentifier).item))
            item.parentItemIdentifier = folder.itemIdentifier
            item.filename = "b"

            let reply = try await device.modify(
                item, [.parentItemIdentifier, .filename, .contents], [2, 3])

            #expect(reply.pending == [])
            #expect(!reply.shouldFetch)
            let back = try #require(reply.item)
            #expect(back.itemIdentifier == item.itemIdentifier)
            #expect(back.filename == "b")
            #expect(back.parentItemIdentifier == folder.itemIdentifier)
            #expect(try await device.fetch(item.itemIdentifier).bytes == [2, 3])
            #expect(try await device.list(.trashContainer).items.isEmpty)
            let versions = try await observer.versions(
                of: item.itemIdentifier.rawValue, in: "Work")
            #expect(versions.count == 2)
        }
    }

    @Test("where there is no trash leaves the item where it is")
    func noTrash() async throws {
        try await TestServer.with { server, observer in
            var request = ChangeDomainRequest()
            request.trash = false
            _ = try await observer.changeDomain("Work", request)
            let device = try await Device("laptop", server)
            let item = try await Self.file("a", [1], device)
            item.parentItemIdentifier = .trashContainer

            let reply = try await device.modify(item, .parentItemIdentifier)

            #expect(reply.item?.parentItemIdentifier == .rootContainer)
            #expect(reply.item?.capabilities?.contains(.allowsTrashing) == false)
            await #expect(throws: CocoaError.self) { try await device.list(.trashContainer) }
            await #expect { try await device.item(.trashContainer) } throws: {
                NSFileProviderError(bridging: $0)?.code == .noSuchItem
            }
        }
    }

    @Test("that would make a circle is undone by the server's place")
    func cycle() async throws {
        try await TestServer.with { server, _ in
            let laptop = try await Device("laptop", server)
            let phone = try await Device("phone", server)
            let a = try await Self.folder("a", laptop)
            let b = try await Self.folder("b", laptop)
            let there = TestItem(of: b)
            there.parentItemIdentifier = a.itemIdentifier
            _ = try await phone.modify(there, .parentItemIdentifier)
            a.parentItemIdentifier = b.itemIdentifier
            a.tagData = Data(#"["kept"]"#.utf8)

            let reply = try await laptop.modify(a, [.parentItemIdentifier, .tagData])

            #expect(reply.item?.parentItemIdentifier == .rootContainer)
            #expect(reply.item?.tagData == .some(a.tagData))
        }
    }

    @Test("into a folder that is gone names the folder; of an item that is gone, the item")
    func vanished() async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            let item = try await Self.file("a", [1], device)
            let folder = try await Self.folder("f", device)
            try await observer.delete(folder.itemIdentifier.rawValue, in: "Work")
            item.parentItemIdentifier = folder.itemIdentifier
            var error = await #expect(throws: NSError.self) {
                try await device.modify(item, .parentItemIdentifier)
            }
            #expect(
                error?.userInfo[NSFileProviderErrorNonExistentItemIdentifierKey] as? String
                    == folder.itemIdentifier.rawValue)

            try await observer.delete(item.itemIdentifier.rawValue, in: "Work")
            for fields in [NSFileProviderItemFields.filename, .contents] {
                error = await #expect(throws: NSError.self) {
                    try await device.modify(item, fields, [2])
                }
                #expect(error?.code == NSFileProviderError.noSuchItem.rawValue)
                #expect(
                    error?.userInfo[NSFileProviderErrorNonExistentItemIdentifierKey] as? String
                        == item.itemIdentifier.rawValue)
            }
        }
    }

    @Test("to a name that is taken tells who has it")
    func collision() async throws {
        try await TestServer.with { server, _ in
            let device = try await Device("laptop", server)
            let a = try await Self.file("a", [1], device)
            let b = try await Self.file("b", [1], device)
            b.filename = "a"

            let error = await #expect(throws: NSError.self) {
                try await device.modify(b, .filename)
            }

            #expect(error?.code == NSFileProviderError.filenameCollision.rawValue)
            let holder = error?.userInfo[NSFileProviderErrorItemKey] as? BasketItem
            #expect(holder?.itemIdentifier == a.itemIdentifier)
        }
    }

    @Test("of metadata merges with others field by field, and theirs stays")
    func merged() async throws {
        try await TestServer.with { server, _ in
            let laptop = try await Device("laptop", server)
            let phone = try await Device("phone", server)
            let seen = try await Self.file("a", [1], laptop)
            let theirs = TestItem(of: seen)
            theirs.filename = "theirs"
            _ = try await phone.modify(theirs, .filename)
            let mine = TestItem(of: seen)
            mine.filename = "mine"
            mine.tagData = Data(#"["mine"]"#.utf8)

            let reply = try await laptop.modify(mine, [.filename, .tagData])

            #expect(reply.item?.filename == "theirs")
            #expect(reply.item?.tagData == .some(mine.tagData))
            #expect(reply.pending.isEmpty)
        }
    }

    @Test("whose answer was lost does not stand in the way of the next one; what others did does")
    func ownEcho() async throws {
        try await TestServer.with { server, _ in
            let laptop = try await Device("laptop", server, retries: .none)
            let phone = try await Device("phone", server)
            let seen = try await Self.file("a", [1], laptop)
            let fields: NSFileProviderItemFields = [.filename, .tagData, .fileSystemFlags]
            _ = try await laptop.item(.rootContainer)
            for (name, tag) in [("b", "one"), ("c", "two")] {
                seen.filename = name
                seen.tagData = Data(#"["\#(tag)"]"#.utf8)
                seen.fileSystemFlags = [.userReadable]
                laptop.network.fail(1, .after, of: "/batch")
                await #expect(throws: (any Error).self) { try await laptop.modify(seen, fields) }
            }
            let theirs = TestItem(of: try await phone.item(seen.itemIdentifier))
            #expect(theirs.filename == "b")
            theirs.tagData = Data(#"["theirs"]"#.utf8)
            _ = try await phone.modify(theirs, .tagData)
            seen.filename = "d"
            seen.tagData = Data(#"["three"]"#.utf8)
            seen.fileSystemFlags = [.userReadable, .userExecutable]

            let reply = try await laptop.modify(seen, fields)

            #expect(reply.item?.filename == "d")
            #expect(reply.item?.tagData == .some(theirs.tagData))
            #expect(reply.item?.fileSystemFlags == .some(seen.fileSystemFlags))
        }
    }

    @Test("of a link leads elsewhere")
    func link() async throws {
        try await TestServer.with { server, _ in
            let device = try await Device("laptop", server)
            let link = TestItem("l", id: "l")
            link.contentType = .symbolicLink
            link.symlinkTargetPath = "a"
            let item = TestItem(of: try #require(try await device.create(link).item))
            item.symlinkTargetPath = "b"

            let reply = try await device.modify(item, .contents)

            #expect(reply.item?.symlinkTargetPath == "b")
        }
    }

    @Test("deletes what was seen, and nothing newer")
    func deletion() async throws {
        try await TestServer.with { server, observer in
            let laptop = try await Device("laptop", server)
            let phone = try await Device("phone", server)
            let item = try await Self.file("a", [1], laptop)
            let newer = try await phone.modify(TestItem(of: item), .contents, [2])
            let error = await #expect(throws: NSError.self) { try await laptop.delete(item) }
            #expect(error?.code == NSFileProviderError.deletionRejected.rawValue)
            let now = error?.userInfo[NSFileProviderErrorItemKey] as? BasketItem
            #expect(now?.itemVersion == newer.item?.itemVersion)

            await #expect {
                try await laptop.delete(TestItem("a", id: item.itemIdentifier.rawValue))
            } throws: {
                NSFileProviderError(bridging: $0)?.code == .deletionRejected
            }

            try await laptop.delete(try #require(newer.item))
            try await laptop.delete(try #require(newer.item))
            try await laptop.delete(TestItem("x", id: "1xc5ysc7z9b4"))
            let folder = try await Self.folder("f", laptop)
            _ = try await Self.folder("g", laptop, in: folder.itemIdentifier)
            await #expect { try await laptop.delete(folder) } throws: {
                NSFileProviderError(bridging: $0)?.code == .directoryNotEmpty
            }
            try await laptop.delete(folder, options: .recursive)
            #expect(try await observer.children(of: "root", in: "Work").items.isEmpty)
        }
    }

    @Test("does not delete a content that came while it was looked whether there is any")
    func deletionOfUnseen() async throws {
        try await TestServer.with { server, observer in
            let laptop = try await Device("laptop", server)
            let phone = try await Device("phone", server)
            let made = try await laptop.create(TestItem("a", id: "1"))
            let empty = try #require(made.item as? BasketItem)
            let unseen = TestItem("a", id: empty.itemIdentifier.rawValue)
            unseen.itemVersion = NSFileProviderItemVersion(
                contentVersion: Data("handed over".utf8), metadataVersion: Data())
            let isEmpty = Mutex(true)
            laptop.network.delay { target in
                let isNow = isEmpty.withLock { isEmpty in
                    guard target.contains("/batch") else { return false }
                    defer { isEmpty = false }
                    return isEmpty
                }
                guard isNow else { return }
                _ = try await phone.modify(TestItem(of: empty), .contents, [2])
            }

            await #expect {
                try await laptop.delete(unseen)
            } throws: {
                NSFileProviderError(bridging: $0)?.code == .deletionRejected
            }

            #expect(try await phone.fetch(unseen.itemIdentifier).bytes == [2])
            let other = try #require(try await laptop.create(TestItem("b", id: "2")).item)
            unseen.itemIdentifier = other.itemIdentifier
            try await laptop.delete(unseen)
            let left = try await observer.children(of: "root", in: "Work").items
            #expect(left.map(\.name) == ["a"])
        }
    }
}
