import BasketConnection
import BasketModels
import FileProvider
import Foundation
import Testing

@testable import BasketProvider

@Suite("A conflict", .timeLimit(.minutes(60)))
struct ConflictTests {
    /// What files there are, with their contents.
    static func contents(_ observer: ServerConnection) async throws -> [String: [UInt8]] {
        var all: [String: [UInt8]] = [:]
        for item in try await observer.children(of: "root", in: "Work").items {
            var bytes: [UInt8] = []
            _ = try await observer.receiveContent(of: item.id, in: "Work") { bytes += $1 }
            all[item.name] = bytes
        }
        return all
    }

    private static func copy(_ observer: ServerConnection) async throws -> ItemInfo {
        try #require(
            try await observer.children(of: "root", in: "Work").items.first {
                $0.name.contains("conflict")
            })
    }

    @Test(
        "keeps both contents: the remote one where it is, the local one beside it",
        arguments: [10, 100_000, 1_000_000])
    func both(size: Int) async throws {
        try await TestServer.with { server, observer in
            let laptop = try await Device("laptop", server)
            let phone = try await Device("phone", server)
            let seen = try await ChangeTests.file("a.txt", someBytes(size, seed: 1), laptop)
            _ = try await laptop.modify(TestItem(of: seen), .contents, someBytes(size, seed: 2))
            seen.contentModificationDate = Date(timeIntervalSince1970: 86_400 * 365)

            for _ in 1...2 {
                let reply = try await phone.modify(
                    seen, [.contents, .contentModificationDate], someBytes(size, seed: 3))

                #expect(reply.shouldFetch)
                #expect(reply.item?.itemIdentifier == seen.itemIdentifier)
                #expect(reply.item?.filename == "a.txt")
                #expect(
                    try await ConflictTests.contents(observer) == [
                        "a.txt": someBytes(size, seed: 2),
                        "a (conflict from phone 1971-01-01).txt": someBytes(size, seed: 3),
                    ])
                phone.restart()
            }
            let fetched = try await phone.fetch(seen.itemIdentifier)
            #expect(fetched.bytes == someBytes(size, seed: 2))
        }
    }

    @Test("is kept once, also when somebody has renamed the copy since")
    func renamedCopy() async throws {
        try await TestServer.with { server, observer in
            let laptop = try await Device("laptop", server)
            let phone = try await Device("phone", server)
            let seen = try await ChangeTests.file("a.txt", [1], laptop)
            _ = try await laptop.modify(TestItem(of: seen), .contents, [2])
            _ = try await phone.modify(TestItem(of: seen), .contents, [3])
            let copy = try await Self.copy(observer)
            var rename = ChangeItemRequest()
            rename.name = "mine.txt"
            _ = try await observer.change(copy.id, in: "Work", rename)
            phone.restart()

            _ = try await phone.modify(TestItem(of: seen), .contents, [3])

            #expect(
                try await Self.contents(observer) == ["a.txt": [2], "mine.txt": [3]])
        }
    }

    @Test(
        "that a person writes on in, before any answer was heard, is one copy",
        arguments: [10, 700_000])
    func writtenOn(size: Int) async throws {
        try await TestServer.with { server, observer in
            let laptop = try await Device("laptop", server)
            let phone = try await Device("phone", server)
            let seen = try await ChangeTests.file("a.txt", [1], laptop)
            seen.contentModificationDate = Date(timeIntervalSince1970: 0)
            _ = try await laptop.modify(TestItem(of: seen), .contents, [2])
            for seed in 3...4 {
                let reply = try await phone.modify(
                    seen, [.contents, .contentModificationDate],
                    someBytes(size, seed: UInt64(seed)))
                #expect(reply.shouldFetch)
                phone.restart()
            }

            #expect(
                try await Self.contents(observer) == [
                    "a.txt": [2],
                    "a (conflict from phone 1970-01-01).txt": someBytes(size, seed: 4),
                ])
        }
    }

    @Test("leaves a copy alone into which somebody has written on the same device")
    func ownChange() async throws {
        try await TestServer.with { server, observer in
            let laptop = try await Device("laptop", server)
            let phone = try await Device("phone", server)
            let seen = try await ChangeTests.file("a.txt", [1], laptop)
            _ = try await laptop.modify(TestItem(of: seen), .contents, [2])
            _ = try await phone.modify(TestItem(of: seen), .contents, [3])
            let copy = try await Self.copy(observer)
            let known = try await phone.item(.init(copy.id))
            let change = try await phone.modify(TestItem(of: known), .contents, [4])
            #expect(!change.shouldFetch)
            // What was written over the same version as before, by who has not heard what became of that.
            let later = TestItem(of: seen)
            later.contentModificationDate = Date(timeIntervalSinceNow: 3600)
            _ = try await phone.modify(later, [.contents, .contentModificationDate], [5])

            let found = try await Self.contents(observer)
            #expect(found[copy.name] == [4])
            #expect(found.values.contains([5]))
            #expect(found.count == 3)
        }
    }

    @Test("leaves a copy alone that somebody has changed or thrown away", arguments: [true, false])
    func changedCopy(isTrashed: Bool) async throws {
        try await TestServer.with { server, observer in
            let laptop = try await Device("laptop", server)
            let phone = try await Device("phone", server)
            let seen = try await ChangeTests.file("a.txt", [1], laptop)
            _ = try await laptop.modify(TestItem(of: seen), .contents, [2])
            _ = try await phone.modify(TestItem(of: seen), .contents, [3])
            let copy = try await Self.copy(observer)
            if isTrashed {
                _ = try await observer.trash(copy.id, in: "Work")
            } else {
                _ = try await observer.putContent(
                    .bytes([9]), of: copy.id, in: "Work", base: .version(copy.contentVersion))
            }

            _ = try await phone.modify(TestItem(of: seen), .contents, [4])

            let found = try await Self.contents(observer).values.sorted { $0[0] < $1[0] }
            #expect(found == (isTrashed ? [[2], [4]] : [[2], [4], [9]]))
        }
    }

    @Test("is what comes of a content that nobody here has seen, also when it is the first one")
    func unseen() async throws {
        try await TestServer.with { server, observer in
            let laptop = try await Device("laptop", server)
            let phone = try await Device("phone", server)
            let there = try await ChangeTests.file("a.txt", [1], laptop)
            let imported = try await phone.create(
                TestItem("a.txt", id: "2"), [2], options: .mayAlreadyExist)
            #expect(imported.shouldFetch)
            // Before the server's content has come, somebody writes on in what is on the disk.
            let before = NSFileProviderItemVersion.beforeFirstSyncComponent
            let base = NSFileProviderItemVersion(contentVersion: before, metadataVersion: before)

            let reply = try await phone.modify(TestItem(of: there), base: base, .contents, [3])

            #expect(reply.shouldFetch)
            let found = try await Self.contents(observer)
            #expect(found["a.txt"] == [1])
            #expect(found.values.contains([3]))
            // Who made an item has seen its first version.
            let own = try await ChangeTests.file("b.txt", [1], phone)
            let accepted = try await phone.modify(own, base: base, .contents, [2])
            #expect(!accepted.shouldFetch)
            #expect(try await Self.contents(observer)["b.txt"] == [2])
        }
    }

    @Test("is none when the bytes are the same, or a device's own")
    func none() async throws {
        try await TestServer.with { server, observer in
            let laptop = try await Device("laptop", server)
            let phone = try await Device("phone", server)
            let seen = try await ChangeTests.file("a.txt", [1], laptop)
            _ = try await laptop.modify(TestItem(of: seen), .contents, [2])

            let same = try await phone.modify(TestItem(of: seen), .contents, [2])
            let own = try await laptop.modify(TestItem(of: seen), .contents, [3])

            #expect(!same.shouldFetch)
            #expect(!own.shouldFetch)
            #expect(try await Self.contents(observer) == ["a.txt": [3]])
        }
    }

    @Test("is not hidden by a change of something else: the newer content is to be fetched")
    func besides() async throws {
        try await TestServer.with { server, _ in
            let laptop = try await Device("laptop", server)
            let phone = try await Device("phone", server)
            let seen = try await ChangeTests.file("a.txt", [1], laptop)
            let renamed = TestItem(of: seen)
            renamed.filename = "b.txt"
            let first = try await laptop.modify(renamed, .filename)
            #expect(!first.shouldFetch)

            _ = try await phone.modify(TestItem(of: seen), .contents, [2])
            renamed.filename = "c.txt"
            let second = try await laptop.modify(renamed, .filename)
            #expect(second.shouldFetch)
        }
    }

    @Test("is not made again of what the server had, and others have written over since")
    func superseded() async throws {
        try await TestServer.with { server, observer in
            let laptop = try await Device("laptop", server)
            let phone = try await Device("phone", server)
            let seen = try await ChangeTests.file("a.txt", [1], laptop)
            let mine = try await laptop.modify(TestItem(of: seen), .contents, [2])
            _ = try await phone.modify(
                TestItem(of: try #require(mine.item)), .contents, [3])
            laptop.restart()

            let again = try await laptop.modify(TestItem(of: seen), .contents, [2])

            #expect(again.shouldFetch)
            #expect(try await Self.contents(observer) == ["a.txt": [3]])
        }
    }

    @Test("is none where nothing was written over what others have written over since")
    func unchanged() async throws {
        try await TestServer.with { server, observer in
            let laptop = try await Device("laptop", server)
            let phone = try await Device("phone", server)
            let seen = try await ChangeTests.file("a.txt", [1], laptop)
            _ = try await phone.modify(TestItem(of: seen), .contents, [2])

            // As a creation does that is asked for once more, because its answer was lost.
            let reply = try await laptop.modify(TestItem(of: seen), .contents, [1])

            #expect(reply.shouldFetch)
            #expect(try await ConflictTests.contents(observer) == ["a.txt": [2]])
        }
    }

    @Test("is the system's to settle, where it asks for that")
    func failing() async throws {
        try await TestServer.with { server, observer in
            let laptop = try await Device("laptop", server)
            let phone = try await Device("phone", server)
            let seen = try await ChangeTests.file("a.txt", [1], laptop)
            _ = try await laptop.modify(TestItem(of: seen), .contents, [2])

            await #expect {
                try await phone.modify(
                    TestItem(of: seen), .contents, [3], options: .failOnConflict)
            } throws: {
                NSFileProviderError(bridging: $0)?.code == .localVersionConflictingWithServer
            }

            #expect(try await Self.contents(observer) == ["a.txt": [2]])
        }
    }

    @Test("in a folder that goes meanwhile loses nothing")
    func trashed() async throws {
        try await TestServer.with { server, observer in
            let laptop = try await Device("laptop", server)
            let phone = try await Device("phone", server)
            let seen = try await ChangeTests.file("a.txt", [1], laptop)
            _ = try await laptop.modify(TestItem(of: seen), .contents, [2])
            _ = try await observer.trash(seen.itemIdentifier.rawValue, in: "Work")

            let reply = try await phone.modify(TestItem(of: seen), .contents, [3])

            #expect(reply.item?.parentItemIdentifier == .trashContainer)
            #expect(try await Self.contents(observer).values.map { $0 } == [[3]])
        }
    }

    @Test(
        "that others left is ended by an action",
        arguments: [
            (ItemAction.keepCurrent, [[UInt8]]([[2]])), (.keepOther, [[3]]),
            (.keepAll, [[2], [3]]),
        ])
    func resolved(action: ItemAction, contents: [[UInt8]]) async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            let seen = try await ChangeTests.file("a.txt", [1], device)
            let base = try #require(seen.itemVersion.content(of: seen.itemIdentifier.rawValue))
            _ = try await device.modify(TestItem(of: seen), .contents, [2])
            _ = try await observer.putContent(
                .bytes([3]), of: seen.itemIdentifier.rawValue, in: "Work",
                base: .versionOrKeep(base))
            let marked = try #require(
                try await device.item(seen.itemIdentifier) as? BasketItem)
            #expect(marked.decorations == [Decoration.conflict.identifier])

            try await device.perform(action, on: [seen.itemIdentifier])

            let found = try await Self.contents(observer).values
            #expect(found.sorted { $0[0] < $1[0] } == contents)
            let after = try #require(
                try await device.item(seen.itemIdentifier) as? BasketItem)
            #expect(after.decorations == [])
        }
    }
}
