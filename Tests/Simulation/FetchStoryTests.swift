import BasketSupport
import FileProvider
import FileProviderReplica
import Testing

@testable import FileProviderHost

@Suite("What is fetched")
struct FetchStoryTests {
    private static let text = "a text of which there is more than one part"

    /// A file at the provider, with no bytes here.
    private static func file(_ name: String, _ text: String, _ device: Device) async throws
        -> NodeID
    {
        let id = try await device.create(name, in: .root, text)
        try await device.host.waitForRest()
        try await device.host.evict(id)
        return id
    }

    /// How long something takes.
    private static func time(
        on device: Device, _ body: () async throws -> Void
    ) async throws -> Duration {
        let start = device.replica.world.uptime()
        try await body()
        return device.replica.world.uptime() - start
    }

    @Test(
        "comes at once for who waits, though it stands in line for nobody",
        arguments: [false, true]
    )
    func overtaking(inParts: Bool) throws {
        try Stage.play(inParts: inParts) { cloud, device in
            let file = try await Self.file("a", Self.text, device)
            device.network.delay = .seconds(100)
            await device.host.want(file)
            try await device.wait(seconds: 1)
            #expect(device.network.fetches == [false])
            device.network.delay = .zero

            var read = ""
            let time = try await Self.time(on: device) { read = try await device.text(of: file) }
            #expect(read == Self.text)
            #expect(time < .seconds(10))
            let rest = device.network.fetches.dropFirst()
            #expect(!rest.isEmpty && rest.allSatisfy { $0 })
            try await device.wait(seconds: 300)
            #expect(try device.residence(of: file) == .whole)
        }
    }

    @Test("is not asked for again when it comes already")
    func joining() throws {
        try Stage.play { cloud, device in
            let file = try await Self.file("a", Self.text, device)
            device.network.delay = .seconds(20)
            device.network.reportsEvery = .seconds(1)
            await device.host.want(file)
            try await device.wait(seconds: 5)
            #expect(try await device.text(of: file) == Self.text)
            #expect(device.network.fetches == [false])
        }
    }

    @Test("comes on over a line that breaks again and again")
    func breaking() throws {
        try Stage.play(inParts: true) { cloud, device in
            let text = String(repeating: Self.text, count: 20)
            let file = try await Self.file("a", text, device)
            device.network.lossOneIn = 6
            await device.host.want(file)
            // There are a hundred parts, and thirty breaks.
            try await device.wait(seconds: 600)
            #expect(try device.residence(of: file) == .whole)
        }
    }

    @Test("comes many small files at once, and a few large ones", arguments: [64 << 10, 4])
    func together(smallContent: Int64) throws {
        var settings = HostSettings()
        settings.smallContent = smallContent
        try Stage.play(settings: settings) { cloud, device in
            var files: [NodeID] = []
            for number in 0..<24 {
                files.append(try await device.create("\(number)", in: .root, "text \(number)"))
            }
            try await device.host.waitForRest()
            for file in files { try await device.host.evict(file) }
            // There, and back.
            device.network.delay = .seconds(10)
            let time = try await Self.time(on: device) {
                for file in files { await device.host.want(file) }
                while try files.contains(where: { try device.residence(of: $0) != .whole }) {
                    try await device.wait(seconds: 1)
                }
            }
            let rounds = smallContent > 4 ? 1 : 3
            #expect(time >= .seconds(20 * rounds) && time < .seconds(20 * rounds + 15))
        }
    }

    @Test("with an older version here has that offered, for what is the same in both")
    func increments() throws {
        try Stage.play { cloud, device in
            let file = try await device.create("a", in: .root, "the old text")
            try await device.host.waitForRest()
            cloud.rewrite("a", "the new text")
            try await device.wait(seconds: 30)
            #expect(try await device.text(of: file) == "the new text")
            #expect(device.network.offered == ["1: the old text"])
            // What was let go of is offered to nobody.
            try await device.host.evict(file)
            cloud.rewrite("a", "the newest text")
            try await device.wait(seconds: 30)
            #expect(try await device.text(of: file) == "the newest text")
            #expect(device.network.offered.count == 1)
        }
    }

    @Test("with another content there goes from here, where the provider wants that")
    func evictedByUpdates() throws {
        try Stage.play { cloud, device in
            let fleeting = try await device.create("fleeting", in: .root, "the first text")
            let other = try await device.create("other", in: .root, "the first text")
            try await device.host.waitForRest()
            #expect(try device.residence(of: fleeting) == .whole)
            let file = try #require(try device.replica.read { try $0.node(fleeting)?.file })
            for name in ["fleeting", "other"] { cloud.rewrite(name, "the second text") }
            try await device.wait(seconds: 60)
            try await device.host.waitForRest()

            #expect(try device.residence(of: fleeting) == .dataless)
            #expect(try !device.replica.read { try $0.isNamed(file) })
            #expect(try device.residence(of: other) == .whole)
            #expect(device.network.fetches == [false])
            #expect(try await device.text(of: fleeting) == "the second text")
        }
    }

    @Test(
        "of a listing is refused where a page's name is longer than it may be",
        arguments: [500, 501, 50_000])
    func pages(length: Int) throws {
        try Stage.play(isLazy: true) { cloud, device in
            for number in 0..<10 { cloud.add("\(number)", "text") }
            cloud.namePages(withBytes: length)
            if length <= NSFileProviderPage.mostBytes {
                try await device.host.list(.root)
                #expect(try device.nodes().count == 10)
            } else {
                await #expect(throws: HostError.self) { try await device.host.list(.root) }
                #expect(try device.nodes().isEmpty)
            }
        }
    }

    @Test("of an item is left out where its version is longer than it may be")
    func versions() throws {
        try Stage.play(isLazy: true) { cloud, device in
            cloud.add("overlong", "text")
            try await device.host.list(.root)
            #expect(try device.nodes().isEmpty)
            cloud.rename("overlong", to: "a")
            try await device.host.waitForRest()
            #expect(try device.nodes().map(\.path) == ["a"])
        }
    }

    @Test(
        "does not come by itself where its own policy says so, though its folder's says otherwise")
    func lazyBelowEager() throws {
        try Stage.play { cloud, device in
            cloud.add("pinned", nil)
            let folder = try #require(cloud.paths()["pinned"])
            cloud.add("a", "text", in: folder.id)
            cloud.add("lazy", "text", in: folder.id)
            try await device.host.waitForRest()
            try await device.wait(seconds: 60)
            let here = try device.nodes().filter { $0.node.residence == .whole }.map(\.path)
            #expect(here == ["pinned/a"])
        }
    }
}
