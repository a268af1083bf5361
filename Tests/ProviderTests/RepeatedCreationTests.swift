import BasketConnection
import BasketModels
import BasketSupport
import FileProvider
import Foundation
import Testing
import UniformTypeIdentifiers

@testable import BasketProvider

/// As the system does when it has not heard the answer.
@Suite("A creation that is asked for again", .timeLimit(.minutes(60)))
struct RepeatedCreationTests {
    @Test("makes nothing twice", arguments: [10, 100_000])
    func replay(size: Int) async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            let file = TestItem("a.txt", id: "1")
            let first = try #require(try await device.create(file, someBytes(size, seed: 1)).item)
            // Somebody else renames it before the answer is heard, and here it was written anew.
            var rename = ChangeItemRequest()
            rename.name = "theirs.txt"
            _ = try await observer.change(first.itemIdentifier.rawValue, in: "Work", rename)
            device.restart()

            let reply = try await device.create(file, someBytes(size, seed: 2))

            #expect(reply.item?.itemIdentifier == first.itemIdentifier)
            #expect(reply.item?.filename == "theirs.txt")
            #expect(try await CreationTests.names(observer) == ["theirs.txt"])
            #expect(
                try await device.fetch(first.itemIdentifier).bytes == someBytes(size, seed: 2))
        }
    }

    @Test("though it is there as it was, leaves what others say of it")
    func replayedDate() async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            let file = TestItem("a.txt", id: "1")
            file.contentModificationDate = Date(timeIntervalSince1970: 1_700_000_000)
            let bytes = someBytes(100_000, seed: 1)
            let first = try #require(try await device.create(file, bytes).item)
            let id = first.itemIdentifier.rawValue
            var change = ChangeItemRequest()
            change.metadata.modified = .set(Timestamp(seconds: 1_600_000_000))
            let theirs = try await observer.change(id, in: "Work", change)
            device.restart()

            let reply = try await device.create(file, bytes)

            #expect(!reply.shouldFetch)
            let item = try await observer.item(id, in: "Work")
            #expect(item.modified == theirs.item.modified)
            #expect(item.contentVersion == theirs.item.contentVersion)
        }
    }

    @Test(
        "with its own bytes leaves what was written over them",
        arguments: ["laptop", "phone"])
    func replayedBytes(writer: String) async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            let first = try #require(try await device.create(TestItem("a", id: "1"), [1]).item)
            let changed = TestItem("a", id: first.itemIdentifier.rawValue)
            let other = writer == "laptop" ? device : try await Device(writer, server)
            _ = try await other.modify(changed, base: first.itemVersion, .contents, [2, 3])
            device.restart()

            let again = try await device.create(TestItem("a", id: "1"), [1])

            #expect(again.shouldFetch)
            #expect(again.item?.itemIdentifier == first.itemIdentifier)
            #expect(try await ConflictTests.contents(observer) == ["a": [2, 3]])
        }
    }

    @Test(
        "with other bytes is a copy where something else was written over the first"
    )
    func replayedBeside() async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            let first = try #require(try await device.create(TestItem("a", id: "1"), [1]).item)
            // Nobody on the device knew yet that it is the same file.
            let told = TestItem("a", id: first.itemIdentifier.rawValue)
            _ = try await device.modify(told, base: first.itemVersion, .contents, [2, 3])
            device.restart()

            let again = try await device.create(TestItem("a", id: "1"), [4, 5, 6])

            #expect(again.shouldFetch)
            #expect(again.item?.itemIdentifier == first.itemIdentifier)
            let contents = try await ConflictTests.contents(observer)
            #expect(contents.count == 2)
            #expect(contents["a"] == [2, 3])
            #expect(contents.values.contains([4, 5, 6]))
        }
    }

    @Test("again and again with other bytes is one file, with the newest")
    func replayedLine() async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            // Somebody goes back to what was there before, once to the very first.
            for bytes: [UInt8] in [[1], [2, 3], [4, 5, 6], [2, 3], [1]] {
                let reply = try await device.create(TestItem("a", id: "1"), bytes)
                #expect(!reply.shouldFetch)
                #expect(try await ConflictTests.contents(observer) == ["a": bytes])
            }
        }
    }

    @Test(
        "takes nobody's way into it",
        arguments: [UTType.folder, .symbolicLink])
    func replayedRights(type: UTType) async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            let item = TestItem("new", id: "1")
            item.contentType = type
            item.symlinkTargetPath = type == .symbolicLink ? "x" : nil
            item.fileSystemFlags = [.userReadable, .userWritable]
            let first = try #require(try await device.create(item).item)
            let mode = try await observer.item(first.itemIdentifier.rawValue, in: "Work").mode
            device.restart()

            _ = try await device.create(item)

            let again = try await observer.item(first.itemIdentifier.rawValue, in: "Work").mode
            #expect(mode.map { $0.rawValue & 0o700 } == 0o700)
            #expect(again == mode)
        }
    }

    @Test("of an item that was moved out of its folder, which went, asks for no other folder")
    func movedOut() async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            let folder = try await ChangeTests.folder("f", device)
            let file = TestItem("a", id: "1")
            file.parentItemIdentifier = folder.itemIdentifier
            let first = try #require(try await device.create(file, [1]).item)
            var move = ChangeItemRequest()
            move.parent = "root"
            _ = try await observer.change(first.itemIdentifier.rawValue, in: "Work", move)
            try await observer.delete(folder.itemIdentifier.rawValue, in: "Work")
            device.restart()

            let again = try await device.create(file, [2])

            #expect(again.item?.itemIdentifier == first.itemIdentifier)
            #expect(again.item?.parentItemIdentifier == .rootContainer)
            #expect(try await ConflictTests.contents(observer) == ["a": [2]])
        }
    }

    @Test(
        "with what was written since keeps that, and what was written to the item by who took it for another one",
        arguments: 0..<8)
    func replayedAtOnce(round: Int) async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            let file = TestItem("a", id: "1")
            let first = try #require(try await device.create(file, []).item)
            let told = TestItem("a", id: first.itemIdentifier.rawValue)
            if round == 0 {
                _ = try await device.create(file, [1])
                _ = try await device.modify(told, base: first.itemVersion, .contents, [2, 3])
            } else {
                async let again = device.create(file, [1])
                async let changed = device.modify(
                    told, base: first.itemVersion, .contents, [2, 3])
                _ = try await (again, changed)
            }

            let contents = try await ConflictTests.contents(observer)
            #expect(Set(contents.values) == [[1], [2, 3]])
        }
    }

    @Test(
        "and brought other bytes, is not what somebody writes over who took it for another one, however often they ask"
    )
    func replayedBelow() async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            let file = TestItem("a", id: "1")
            let first = try #require(try await device.create(file, [1]).item)
            _ = try await device.create(file, [4, 5, 6])
            let told = TestItem("a", id: first.itemIdentifier.rawValue)

            for _ in 1...2 {
                let reply = try await device.modify(
                    told, base: first.itemVersion, .contents, [2, 3])

                #expect(reply.shouldFetch)
                let contents = try await ConflictTests.contents(observer)
                #expect(contents.count == 2)
                #expect(contents["a"] == [4, 5, 6])
                #expect(contents.values.contains([2, 3]))
            }
        }
    }

    @Test("leaves what was said of the item by who took it for another one, heard or not")
    func replayedBesideUnheard() async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server, retries: .none)
            let file = TestItem("a", id: "1")
            let first = try #require(try await device.create(file, [1]).item)
            let id = first.itemIdentifier.rawValue
            let told = TestItem("a", id: id)
            told.extendedAttributes = ["user.b": Data([2])]
            told.tagData = Data(#"["theirs"]"#.utf8)
            let said: NSFileProviderItemFields = [.extendedAttributes, .tagData]
            device.network.fail(1, .after, of: "/batch")
            await #expect(throws: (any Error).self) {
                try await device.modify(told, base: first.itemVersion, said)
            }
            file.tagData = Data(#"["first"]"#.utf8)

            let reply = try await device.create(
                file, [1], fields: said.union([.filename, .parentItemIdentifier, .contents]))

            #expect(reply.item?.itemIdentifier == first.itemIdentifier)
            let item = try await observer.item(id, in: "Work")
            #expect(item.xattrs["user.b"] == Base64Bytes([2]))
            #expect(item.tags == ["theirs"])
        }
    }
}
