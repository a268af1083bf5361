import BasketConnection
import BasketModels
import FileProvider
import Foundation
import Synchronization
import Testing
import UniformTypeIdentifiers

@testable import BasketProvider

@Suite("A creation", .timeLimit(.minutes(60)))
struct CreationTests {
    static func names(_ observer: ServerConnection) async throws -> [String] {
        try await observer.children(of: "root", in: "Work").items.map(\.name)
    }

    @Test(
        "makes folders, links and files of any size", arguments: [0, 5, 65_536, 65_537, 3_000_000])
    func kinds(size: Int) async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            let folder = TestItem("Photos", id: "f")
            folder.contentType = .folder
            let made = try #require(try await device.create(folder).item)
            let link = TestItem("latest", id: "l")
            link.contentType = .symbolicLink
            link.symlinkTargetPath = "Photos/a.bin"
            link.parentItemIdentifier = made.itemIdentifier
            #expect(try await device.create(link).item?.symlinkTargetPath == "Photos/a.bin")
            let file = TestItem("a.bin", id: "a")
            file.parentItemIdentifier = made.itemIdentifier
            let bytes = someBytes(size, seed: 1)

            let item = try #require(try await device.create(file, bytes).item)

            #expect(item.documentSize == NSNumber(value: size))
            #expect(try await device.fetch(item.itemIdentifier).bytes == bytes)
            let children = try await observer.children(
                of: made.itemIdentifier.rawValue, in: "Work")
            #expect(children.items.map(\.name) == ["a.bin", "latest"])
            #expect(try device.temporaryFiles.isEmpty)
        }
    }

    @Test("of what a system calls a package is noted as that")
    func package() async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            let package = TestItem("Keynote.key", id: "k")
            package.contentType = .package

            let item = try #require(try await device.create(package).item)

            #expect(item.contentType == .package)
            let found = try await observer.children(of: "root", in: "Work").items
            #expect(found.map(\.kind) == [.folder])
            #expect(found.first?.flags.contains(.package) == true)
            let other = try await Device("desk", server)
            #expect(try await other.item(item.itemIdentifier).contentType == .package)
        }
    }

    @Test("of another replica with the same template is another one")
    func replicas() async throws {
        try await TestServer.with { server, observer in
            let laptop = try await Device("laptop", server)
            let phone = try await Device("phone", server)

            _ = try await laptop.create(TestItem("a", id: "1"), [1])
            _ = try await phone.create(TestItem("b", id: "1"), [2])

            #expect(try await Self.names(observer) == ["a", "b"])
        }
    }

    @Test("of what is there already is that: the same bytes, a folder, the same link")
    func adopted() async throws {
        try await TestServer.with { server, observer in
            let laptop = try await Device("laptop", server)
            let phone = try await Device("phone", server)
            for type in [UTType.data, .folder, .symbolicLink] {
                let item = TestItem(type.identifier, id: type.identifier)
                item.contentType = type
                item.symlinkTargetPath = type == .symbolicLink ? "x" : nil
                let bytes: [UInt8]? = type == .data ? [1, 2] : nil

                let first = try await laptop.create(item, bytes)
                let second = try await phone.create(item, bytes)

                #expect(first.item?.itemIdentifier == second.item?.itemIdentifier)
                #expect(!second.shouldFetch)
            }
            #expect(try await Self.names(observer).count == 3)
        }
    }

    @Test("under a name that another item has tells of that item")
    func collision() async throws {
        try await TestServer.with { server, _ in
            let laptop = try await Device("laptop", server)
            let phone = try await Device("phone", server)
            let there = try await laptop.create(TestItem("a", id: "1"), [1])

            let error = await #expect(throws: NSError.self) {
                try await phone.create(TestItem("a", id: "1"), [2])
            }

            #expect(error?.code == NSFileProviderError.filenameCollision.rawValue)
            let holder = error?.userInfo[NSFileProviderErrorItemKey] as? BasketItem
            #expect(holder?.itemIdentifier == there.item?.itemIdentifier)
        }
    }

    @Test("in a folder that is gone says so, and one that cannot be is given up")
    func refused() async throws {
        try await TestServer.with { server, _ in
            let device = try await Device("laptop", server)
            let orphan = TestItem("a", id: "1")
            orphan.parentItemIdentifier = NSFileProviderItemIdentifier("1xc5ysc7z9b4")
            let error = await #expect(throws: NSError.self) {
                try await device.create(orphan, [1])
            }
            #expect(error?.code == NSFileProviderError.noSuchItem.rawValue)
            let named = error?.userInfo[NSFileProviderErrorNonExistentItemIdentifierKey]
            #expect(named as? String == "1xc5ysc7z9b4")

            await #expect { try await device.create(TestItem("a/b", id: "2"), [1]) } throws: {
                NSFileProviderError(bridging: $0)?.code == .cannotSynchronize
            }
        }
    }

    @Test("of a tree that is on the disk matches it by name, and keeps other bytes beside")
    func reimported() async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            let a = try await device.create(TestItem("a.txt", id: "1"), [1])
            device.restart()

            let dataless = try await device.create(
                TestItem("a.txt", id: "2"), options: .mayAlreadyExist)
            let unknown = try await device.create(
                TestItem("b.txt", id: "3"), options: .mayAlreadyExist)
            let same = try await device.create(
                TestItem("a.txt", id: "4"), [1], options: .mayAlreadyExist)
            let other = try await device.create(
                TestItem("a.txt", id: "5"), [2], options: .mayAlreadyExist)

            #expect(dataless.item?.itemIdentifier == a.item?.itemIdentifier)
            #expect(unknown.item == nil)
            #expect(same.item?.itemIdentifier == a.item?.itemIdentifier)
            #expect(!same.shouldFetch)
            #expect(other.item?.itemIdentifier == a.item?.itemIdentifier)
            #expect(other.shouldFetch)
            let names = try await Self.names(observer)
            #expect(names.count == 2)
            #expect(names.contains { $0.hasPrefix("a (conflict from laptop ") })
        }
    }

    @Test("of a tree that is on the disk tells both Unicode forms of a name apart")
    func reimportedForms() async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            for name in ["\u{e9}", "e\u{301}"] {
                _ = try await observer.create(
                    CreateItemRequest(parent: "root", name: name, kind: .file), in: "Work")
            }
            for (id, name) in ["\u{e9}", "e\u{301}"].enumerated() {
                let found = try await device.create(
                    TestItem(name, id: "\(id)"), options: .mayAlreadyExist)
                #expect(found.item.map { Array($0.filename.utf8) } == Array(name.utf8))
            }
        }
    }

    @Test("in a trash that is no more comes back, once")
    func trashless() async throws {
        try await TestServer.with { server, observer in
            var request = ChangeDomainRequest()
            request.trash = false
            _ = try await observer.changeDomain("Work", request)
            let device = try await Device("laptop", server)
            let item = TestItem("a", id: "1")
            item.parentItemIdentifier = .trashContainer

            for _ in 1...2 {
                let made = try await device.create(item, [1])
                #expect(made.item?.parentItemIdentifier == .rootContainer)
            }
            #expect(try await Self.names(observer) == ["a"])
        }
    }

    @Test("in the trash lies in the trash")
    func trashed() async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            let item = TestItem("a", id: "1")
            item.parentItemIdentifier = .trashContainer

            let made = try await device.create(item, [1])

            #expect(made.item?.parentItemIdentifier == .trashContainer)
            #expect(try await Self.names(observer).isEmpty)
            #expect(try await device.all(.trashContainer).items.count == 1)
        }
    }

    @Test("in the trash tells of what somebody wrote before it lay there")
    func trashedLate() async throws {
        try await TestServer.with { server, observer in
            let device = try await Device("laptop", server)
            let phone = try await Device("phone", server)
            let item = TestItem("a", id: "1")
            item.parentItemIdentifier = .trashContainer
            let calls = Mutex(0)
            device.network.delay { target in
                guard target.contains("/batch") else { return }
                let call = calls.withLock { calls in
                    calls += 1
                    return calls
                }
                guard call == 2 else { return }
                let made = try #require(try await phone.all(.rootContainer).items.first)
                let told = TestItem("a", id: made.itemIdentifier.rawValue)
                _ = try await phone.modify(told, base: made.itemVersion, .contents, [2, 3])
            }

            let made = try await device.create(item, [1])

            #expect(made.item?.parentItemIdentifier == .trashContainer)
            #expect(made.shouldFetch)
            let identifier = try #require(made.item?.itemIdentifier)
            #expect(try await device.fetch(identifier).bytes == [2, 3])
        }
    }
}
