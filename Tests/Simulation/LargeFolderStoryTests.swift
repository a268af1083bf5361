import FileProviderHost
import FileProviderReplica
import Testing

@Suite("A large folder", .timeLimit(.minutes(60)))
struct LargeFolderStoryTests {
    private static let count = 2000

    private static func node(_ path: String, _ device: Device) throws -> NodeID? {
        try device.nodes().first { $0.path == path }?.node.id
    }

    @Test(
        "comes page by page, whole, and after that by its changes alone", arguments: [false, true])
    func listed(isLazy: Bool) throws {
        try Stage.play(isLazy: isLazy) { cloud, device in
            try await device.host.waitForRest()
            cloud.change { state in
                let folder = state.newID()
                state.items[folder] = Cloud.Record(
                    id: folder, parent: Cloud.root, name: "large", isFolder: true,
                    contentVersion: 1, metadataVersion: 1)
                state.touch(folder)
                for number in 0..<Self.count {
                    let id = state.newID()
                    state.items[id] = Cloud.Record(
                        id: id, parent: folder, name: "file \(number)", isFolder: false,
                        content: "text", contentVersion: 1, metadataVersion: 1)
                    if !isLazy { state.touch(id) }
                }
            }
            try await device.host.waitForRest()
            try await device.host.list(.root)
            let large = try #require(try Self.node("large", device))
            try await device.host.list(large)
            try await device.host.waitForRest()
            let names = try device.replica.read { reader in
                try reader.children(of: large, limit: Self.count + 1).map {
                    $0.trees.local?.name ?? ""
                }
            }
            #expect(Set(names) == Set((0..<Self.count).map { "file \($0)" }))
            #expect(names.count == Self.count)

            _ = device.network.takeSent()
            cloud.rename("file 7", to: "another name")
            cloud.remove("file 8")
            try await device.host.waitForRest()
            try await device.host.list(large)
            let calls = device.network.takeSent().count
            #expect(calls < 20, "\(calls)")
            #expect(try Self.node("large/another name", device) != nil)
            #expect(try Self.node("large/file 7", device) == nil)
            #expect(try Self.node("large/file 8", device) == nil)
        }
    }
}
