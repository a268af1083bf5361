import BasketConnection
import BasketModels
import BasketSupport
import FileProvider
import Foundation
import Testing
import UniformTypeIdentifiers

@testable import BasketProvider

@Suite("An enumeration", .timeLimit(.minutes(60)))
struct EnumerationTests {
    private static func fill(
        _ observer: ServerConnection, _ count: Int, in folder: String = "root"
    ) async throws {
        let operations = (0..<count).map {
            BatchOperation.create(
                CreateItemRequest(parent: folder, name: "file \(1000 + $0)", kind: .file))
        }
        for start in stride(from: 0, to: count, by: 1000) {
            _ = try await observer.batch(
                BatchRequest(operations: Array(operations[start..<min(start + 1000, count)])),
                in: "Work")
        }
    }

    @Test("of a folder comes in pages, which outlive the instance")
    func folder() async throws {
        try await TestServer.with { server, observer in
            try await Self.fill(observer, 120)
            let device = try await Device("laptop", server)
            let first = try await device.list(.rootContainer, size: 1)
            #expect(first.items.count == 50)
            device.restart()

            let second = try await device.list(.rootContainer, from: first.page, size: 1)
            let third = try await device.list(.rootContainer, from: second.page, size: 1)

            let names = (first.items + second.items + third.items).map(\.filename)
            #expect(names == (0..<120).map { "file \(1000 + $0)" })
            #expect(third.page == nil)
            #expect(try #require(first.page).rawValue.count <= 500)
            let all = try await device.all(.rootContainer, size: 200)
            #expect(all.pages == 1)
        }
    }

    @Test("of an empty folder, and of a file, has nothing; of a folder with one file has that")
    func small() async throws {
        try await TestServer.with { server, observer in
            let empty = try await observer.create(
                CreateItemRequest(parent: "root", name: "empty", kind: .folder), in: "Work")
            let folder = try await observer.create(
                CreateItemRequest(parent: "root", name: "folder", kind: .folder), in: "Work")
            let file = try await observer.create(
                CreateItemRequest(parent: folder.item.id, name: "file", kind: .file), in: "Work")
            let device = try await Device("laptop", server)
            for (id, names) in [
                (empty.item.id, []), (folder.item.id, ["file"]), (file.item.id, [String]()),
            ] {
                for _ in 1...2 {
                    let listed = try await device.all(NSFileProviderItemIdentifier(id))
                    #expect(listed.items.map(\.filename) == names)
                    #expect(listed.pages == 1)
                }
            }
        }
    }

    @Test("with names as long as they can be has pages that the system takes")
    func longNames() async throws {
        try await TestServer.with { server, observer in
            for index in 0..<60 {
                let name = String(repeating: "漢", count: 84) + "\(10 + index)"
                _ = try await observer.create(
                    CreateItemRequest(parent: "root", name: name, kind: .file), in: "Work")
            }
            let device = try await Device("laptop", server)

            #expect(try await device.all(.rootContainer, size: 1).items.count == 60)
        }
    }

    @Test("with names that get longer when their case is folded has such pages too")
    func expandingNames() async throws {
        try await TestServer.with { server, observer in
            try await observer.deleteDomain("Work")
            var request = CreateDomainRequest(name: "Work")
            request.caseRule = .portable
            _ = try await observer.createDomain(request)
            var ids: [String] = []
            for index in 0..<60 {
                let name = String(repeating: "\u{958}", count: 84) + "\(10 + index)"
                let made = try await observer.create(
                    CreateItemRequest(parent: "root", name: name, kind: .file), in: "Work")
                ids.append(made.item.id)
            }
            let device = try await Device("laptop", server)

            #expect(try await device.all(.rootContainer, size: 1).items.count == 60)
            let first = try await device.list(.rootContainer, size: 1)
            // From another place than where it was, a page would leave items out.
            var rename = ChangeItemRequest()
            rename.name = "zzz"
            _ = try await observer.change(ids[49], in: "Work", rename)
            await #expect {
                try await device.list(.rootContainer, from: first.page, size: 1)
            } throws: {
                NSFileProviderError(bridging: $0)?.code == .pageExpired
            }
        }
    }

    @Test("by date begins with the newest; a page that is none is expired")
    func pages() async throws {
        try await TestServer.with { server, observer in
            try await Self.fill(observer, 3)
            let device = try await Device("laptop", server)
            let byDate = try await device.list(
                .rootContainer,
                from: NSFileProviderPage.initialPageSortedByDate as NSFileProviderPage)
            #expect(byDate.items.count == 3)

            for text in ["nonsense", "n", "d\u{0}"] {
                await #expect(throws: (any Error).self) {
                    try await device.list(
                        .rootContainer, from: NSFileProviderPage(Data(text.utf8)))
                }
            }
            await #expect {
                try await device.list(.rootContainer, from: NSFileProviderPage(Data("nx".utf8)))
            } throws: {
                NSFileProviderError(bridging: $0)?.code == .pageExpired
            }
        }
    }

    @Test("of the working set tells everything, parents first, over a restart")
    func workingSet() async throws {
        try await TestServer.with { server, observer in
            let a = try await observer.create(
                CreateItemRequest(parent: "root", name: "a", kind: .folder), in: "Work")
            try await Self.fill(observer, 50, in: a.item.id)
            var move = ChangeItemRequest()
            move.name = "renamed last"
            _ = try await observer.change(a.item.id, in: "Work", move)
            let device = try await Device("laptop", server)
            let anchor = try await device.anchor()

            var items: [any NSFileProviderItemProtocol] = []
            var page: NSFileProviderPage?
            repeat {
                let told = try await device.list(.workingSet, from: page, size: 1)
                items += told.items
                page = told.page
                device.restart()
            } while page != nil

            var known: Set<NSFileProviderItemIdentifier> = [.rootContainer]
            for item in items {
                #expect(known.contains(item.parentItemIdentifier))
                known.insert(item.itemIdentifier)
            }
            #expect(known.count == 52)
            let after = try await device.changes(since: anchor)
            #expect(after.items.isEmpty)
            #expect(!after.more)
        }
    }

    @Test("of changes tells what came, changed and went, in batches")
    func changes() async throws {
        try await TestServer.with { server, observer in
            try await Self.fill(observer, 2)
            let device = try await Device("laptop", server)
            let start = try await device.anchor()
            let files = try await observer.children(of: "root", in: "Work").items
            try await observer.delete(files[0].id, in: "Work")
            _ = try await observer.trash(files[1].id, in: "Work")
            try await Self.fill(observer, 25)

            var told = try await device.changes(since: start, size: 1)
            #expect(told.more)
            var items = told.items
            var deleted = told.deleted
            while told.more {
                told = try await device.changes(since: try #require(told.anchor), size: 1)
                items += told.items
                deleted += told.deleted
            }

            #expect(deleted.map(\.rawValue) == [files[0].id])
            #expect(items.count == 26)
            #expect(items[0].parentItemIdentifier == .trashContainer)
            let last = try await device.changes(since: try #require(told.anchor))
            #expect(last.items.isEmpty && last.deleted.isEmpty)
            #expect(last.anchor == told.anchor)
        }
    }

    @Test("of changes tells what went before what came: that may have the same name")
    func deletionsFirst() async throws {
        try await TestServer.with { server, observer in
            try await Self.fill(observer, 3)
            let device = try await Device("laptop", server)
            let start = try await device.anchor()
            let files = try await observer.children(of: "root", in: "Work").items
            var rename = ChangeItemRequest()
            rename.name = "another name"
            _ = try await observer.change(files[0].id, in: "Work", rename)
            try await observer.delete(files[1].id, in: "Work")
            _ = try await observer.create(
                CreateItemRequest(parent: "root", name: files[1].name, kind: .file), in: "Work")

            let told = try await device.changes(since: start)

            #expect(told.deleted.map(\.rawValue) == [files[1].id])
            #expect(told.items.map(\.filename) == ["another name", files[1].name])
            #expect(!told.hasLateDeletions)
        }
    }

    @Test(
        "from an anchor that is expired, or none, says so",
        arguments: ["", "x", "1-1;0", "1-1;0;wt", ";0;wt"])
    func expired(text: String) async throws {
        try await TestServer.with { server, _ in
            let device = try await Device("laptop", server)

            await #expect {
                try await device.changes(since: NSFileProviderSyncAnchor(Data(text.utf8)))
            } throws: {
                NSFileProviderError(bridging: $0)?.code == .syncAnchorExpired
            }
        }
    }

    @Test("tells everything again once other things may be done with it, also after a restart")
    func terms() async throws {
        try await TestServer.with { server, observer in
            try await observer.deleteDomain("Work")
            _ = try await observer.createAccount(
                CreateAccountRequest(name: "bob", password: TestServer.password))
            let (bob, _) = try await server.connection("desk", of: "bob")
            _ = try await bob.createDomain(CreateDomainRequest(name: "Work"))
            try await Self.fill(bob, 2)
            _ = try await bob.setMember("ada", of: "Work", role: .reader)
            let device = try await Device("laptop", server)
            let anchor = try await device.anchor()
            let item = try #require(try await device.all(.workingSet).items.last)
            #expect(item.capabilities?.contains(.allowsWriting) == false)
            device.provider.invalidate()
            _ = try await bob.setMember("ada", of: "Work", role: .writer)
            device.restart()

            await #expect { try await device.changes(since: anchor) } throws: {
                NSFileProviderError(bridging: $0)?.code == .syncAnchorExpired
            }
            let again = try #require(try await device.all(.workingSet).items.last)
            #expect(again.capabilities?.contains(.allowsWriting) == true)
            let told = try await device.changes(since: try await device.anchor())
            #expect(told.items.isEmpty)
        }
    }

    @Test("of what the server found comes in pages")
    func search() async throws {
        try await TestServer.with { server, observer in
            try await Self.fill(observer, 5)
            _ = try await observer.create(
                CreateItemRequest(parent: "root", name: "other", kind: .folder), in: "Work")
            let device = try await Device("laptop", server)
            var names: [String] = []
            var page: NSFileProviderPage?
            repeat {
                let told = try await device.search("file", from: page)
                names += told.results.map(\.filename)
                #expect(told.results.count <= 2)
                page = told.page
            } while page != nil

            #expect(names.sorted() == (0..<5).map { "file \(1000 + $0)" })
            await #expect(throws: (any Error).self) {
                try await device.search("file", from: NSFileProviderPage(Data("x".utf8)))
            }
        }
    }

    @Test("tells of pins and locks, once, and pins outlive the instance")
    func marks() async throws {
        try await TestServer.with { server, observer in
            try await Self.fill(observer, 2)
            let device = try await Device("laptop", server)
            let start = try await device.anchor()
            let files = try await observer.children(of: "root", in: "Work").items
            let ids = files.map { NSFileProviderItemIdentifier($0.id) }
            try await device.perform(.pin, on: [ids[0]])
            try await device.perform(.lock, on: [ids[1]])
            try await device.perform(.favorite, on: [ids[1]])

            let told = try await device.changes(since: start)

            let pinned = try #require(
                told.items.first { $0.itemIdentifier == ids[0] } as? BasketItem)
            let locked = try #require(
                told.items.first { $0.itemIdentifier == ids[1] } as? BasketItem)
            #expect(told.items.count == 2)
            #expect(pinned.contentPolicy == .downloadEagerlyAndKeepDownloaded)
            #expect(pinned.decorations == [Decoration.pinned.identifier])
            #expect(
                locked.decorations == [
                    Decoration.locked.identifier, Decoration.favorite.identifier,
                ])
            #expect(locked.userInfo?["lockedOn"] as? String == "laptop")
            #expect(try await device.changes(since: try #require(told.anchor)).items.isEmpty)

            device.restart()
            try await device.perform(.unpin, on: [ids[0]])
            let freed = try await device.changes(since: try #require(told.anchor))
            #expect(freed.items.map(\.itemIdentifier) == [ids[0]])
            #expect(freed.items.first?.contentPolicy == .inherited)
        }
    }
}
