import FileProvider
import FileProviderHost
import FileProviderReplica
import Foundation
import Testing

@Suite("Who looks into a folder through its domain's host")
struct ChildrenStoryTests {
    private static func page(_ device: Device, _ path: String) async throws -> FolderPage {
        try await device.ask(device.request(.children, path))
    }

    @Test("sees of each item how much of it is here, and whether it is to stay")
    func states() throws {
        try Stage.play { cloud, device in
            for name in ["a", "b", "pinned"] { cloud.add(name, "text of \(name)") }
            try await device.host.waitForRest()
            _ = try await device.ask(
                device.request(.download, "a") { $0.waits = true }, as: ControlDone.self)
            _ = try await device.create(".basketignore", in: .root, "*.log\n")
            _ = try await device.create("c.log", in: .root, "text")
            try await device.host.waitForRest()

            let page = try await Self.page(device, "")

            #expect(page.isListed && page.next == nil)
            #expect(page.item.state.item.kind == "folder" && page.item.residence == .whole)
            let names = page.entries.map(\.state.item.path)
            #expect(names == [".basketignore", "a", "b", "c.log", "pinned"])
            #expect(page.entries.map(\.residence) == [.whole, .whole, .none, .whole, .whole])
            #expect(page.entries.filter(\.isPinned).map(\.state.item.path) == ["pinned"])
            #expect(page.entries.filter(\.isExcluded).map(\.state.item.path) == ["c.log"])
            #expect(page.entries.allSatisfy { !$0.isPending && $0.state.trouble == nil })
        }
    }

    @Test("sees what waits, and why")
    func waiting() throws {
        try Stage.play { _, device in
            try await device.host.waitForRest()
            device.network.refusal = .insufficientQuota
            _ = try await device.makeFolder("folder", in: .root)
            try await device.wait(seconds: 10)
            let page = try await Self.page(device, "")
            #expect(page.entries.map(\.isPending) == [true])
            #expect(page.entries.first?.state.trouble != nil)
        }
    }

    @Test("gets all of it in pages, each item once")
    func pages() throws {
        try Stage.play { cloud, device in
            let names = (10..<25).map { "\($0)" }
            for name in names { cloud.add(name, "text") }
            try await device.host.waitForRest()
            var request = device.request(.children, "") { $0.limit = 5 }
            var found: [String] = []
            var pages = 0
            repeat {
                let page: FolderPage = try await device.ask(request)
                found += page.entries.map(\.state.item.path)
                request.after = page.next
                pages += 1
            } while request.after != nil
            #expect(found == names && pages == 4)
        }
    }

    @Test("has nothing listed by that, and is told so")
    func unlisted() throws {
        try Stage.play { cloud, device in
            cloud.add("folder", nil)
            try await device.host.waitForRest()
            let id = try #require(try device.nodes().first { $0.path == "folder" }?.node.id)
            try await device.replica.write { try $0.passFolder(id, isListed: false) }
            let page = try await Self.page(device, "folder")
            #expect(!page.isListed && page.item.residence == .none)
        }
    }

    @Test("sees the item itself where it is no folder, and hears where there is none")
    func others() throws {
        try Stage.play { cloud, device in
            cloud.add("a", "text")
            try await device.host.waitForRest()
            let file = try await Self.page(device, "a")
            #expect(file.item.state.item.path == "a" && file.entries.isEmpty)
            let error = await #expect(throws: ControlError.self) {
                _ = try await Self.page(device, "none")
            }
            #expect(error?.code == .noSuchItem)
        }
    }

    @Test("finds what has a name that begins with a mark")
    func marks() throws {
        try Stage.play { _, device in
            let folder = try await device.makeFolder("folder", in: .root)
            _ = try await device.create("\u{301}a", in: folder, "text")
            try await device.host.waitForRest()
            let page = try await Self.page(device, "folder")
            let path = try #require(page.entries.first?.state.item.path)
            let file = try await Self.page(device, path)
            #expect(file.item.state.item.kind == "file" && file.item.state.item.size == 4)
        }
    }
}
