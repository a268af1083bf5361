import FileProviderHost
import FileProviderReplica
import Testing

@Suite("A package")
struct PackageStoryTests {
    private static let files = ["text", "pictures/1", "pictures/2", "pictures/small.bundle/inner"]

    /// A document of a few files beside a folder and a file that are none of it.
    private static func fill(_ cloud: Cloud) throws {
        func id(_ path: String) throws -> String { try #require(cloud.paths()[path]).id }
        cloud.add("song.bundle", nil)
        cloud.add("text", "a text", in: try id("song.bundle"))
        cloud.add("pictures", nil, in: try id("song.bundle"))
        for name in ["1", "2"] { cloud.add(name, name, in: try id("song.bundle/pictures")) }
        cloud.add("small.bundle", nil, in: try id("song.bundle/pictures"))
        cloud.add("inner", "inner", in: try id("song.bundle/pictures/small.bundle"))
        cloud.add("folder", nil)
        for name in ["a", "b"] { cloud.add(name, name, in: try id("folder")) }
    }

    private static func whole(_ device: Device) throws -> [String] {
        try device.nodes().filter { $0.node.kind == .file && $0.node.residence == .whole }
            .map(\.path).sorted()
    }

    private static func read(_ path: String, on device: Device) async throws {
        var folder = NodeID.root
        for name in path.split(separator: "/") {
            try await device.host.list(folder)
            folder = try #require(
                try device.replica.read { try $0.child(String(name), of: folder) }
            ).id
        }
        _ = try await device.text(of: folder)
    }

    @Test(
        "comes as a whole when somebody reads something in it, and nothing else does",
        arguments: ["text", "pictures/small.bundle/inner"])
    func together(first: String) throws {
        try Stage.play(isLazy: true) { cloud, device in
            try Self.fill(cloud)
            try await device.host.list(.root)
            try await device.wait(seconds: 30)
            #expect(try Self.whole(device) == [])

            try await Self.read("song.bundle/" + first, on: device)
            try await device.wait(seconds: 30)

            #expect(try Self.whole(device) == Self.files.map { "song.bundle/" + $0 }.sorted())
        }
    }

    @Test("that was on its way when the network went comes when that is back")
    func later() throws {
        try Stage.play(isLazy: true) { cloud, device in
            try Self.fill(cloud)
            try await Self.read("song.bundle/text", on: device)
            device.network.isCut = true
            try await device.wait(seconds: 30)
            #expect(try Self.whole(device).count < Self.files.count)
            device.reconnect()
            try await device.wait(seconds: 700)
            #expect(try Self.whole(device).count == Self.files.count)
        }
    }

    @Test("is not brought here for a program that looks into every file")
    func indexer() throws {
        try Stage.play(isLazy: true) { cloud, device in
            try Self.fill(cloud)
            try await Self.read("song.bundle/text", on: device)
            try await device.wait(seconds: 30)
            for (_, node) in try device.nodes() where node.kind == .file {
                try await device.host.evict(node.id)
            }
            let text = try #require(try device.nodes().first { $0.path == "song.bundle/text" })
            let file = try await device.open(text.node.id, for: .reading, by: "baloo_file_extr")
            await #expect(throws: LocalError.self) { _ = try await file.read(at: 0, count: 4) }
            try await file.close()
            try await device.wait(seconds: 30)

            #expect(try Self.whole(device) == [])
        }
    }
}
