import FileProvider
import FileProviderHost
import FileProviderReplica
import Testing

@Suite("A provider's page that has expired")
struct PageStoryTests {
    private static let count = 20

    private static func fill(_ cloud: Cloud) {
        for number in 0..<count { cloud.add("note \(number)", "text") }
    }

    @Test("has its folder told from the first page, and nothing else")
    func folder() throws {
        try Stage.play(isLazy: true) { cloud, device in
            try await device.host.waitForRest()
            Self.fill(cloud)
            let told = device.network.told["everything"]
            device.network.expiredPages = 1

            try await device.host.list(.root)

            #expect(try device.nodes().count == Self.count)
            #expect(device.network.expiredPages == 0)
            try await device.host.waitForRest()
            #expect(device.network.told["everything"] == told)
        }
    }

    @Test("is said to whoever reads a folder only when that happens again and again")
    func hopeless() throws {
        try Stage.play(isLazy: true) { cloud, device in
            try await device.host.waitForRest()
            Self.fill(cloud)
            device.network.expiredPages = .max
            _ = device.network.takeSent()

            await #expect(throws: (any Error).self) { try await device.host.list(.root) }

            #expect(device.network.takeSent().count < 20)
            device.network.expiredPages = 0
            try await device.host.list(.root)
            #expect(try device.nodes().count == Self.count)
        }
    }

    @Test("keeps no other folder from being told again")
    func others() throws {
        try Stage.play(isLazy: true) { cloud, device in
            Self.fill(cloud)
            cloud.add("folder", nil)
            let folder = try #require(cloud.paths()["folder"]).id
            cloud.add("inside", "text", in: folder)
            try await device.browse(withTrash: false)
            try await device.host.waitForRest()
            let anchors = device.network.told["the anchor"] ?? 0

            device.network.expiredPages = .max
            device.network.forgetOnce()
            cloud.rename("inside", to: "inside still")
            try await device.wait(seconds: 60)

            #expect(try device.nodes().map(\.path).contains("folder/inside still"))
            #expect(device.network.told["the anchor"] == anchors + 1)
            device.network.expiredPages = 0
            try await device.host.waitForRest()
        }
    }

    @Test("has everything told from the first page, after the same anchor")
    func everything() throws {
        try Stage.play { cloud, device in
            Self.fill(cloud)
            try await device.host.waitForRest()
            try device.loseDatabase()
            let told = device.network.told
            device.network.expiredPages = 1

            try await device.start()
            try await device.host.waitForRest()

            #expect(try device.nodes().count == Self.count)
            #expect(device.network.expiredPages == 0)
            #expect(device.network.told["everything"] == (told["everything"] ?? 0) + 2)
            #expect(device.network.told["the anchor"] == (told["the anchor"] ?? 0) + 1)
        }
    }

    @Test("has words looked for from the first page, and each item found once")
    func search() throws {
        var settings = HostSettings()
        settings.supportsSearch = true
        try Stage.play(settings: settings) { cloud, device in
            Self.fill(cloud)
            device.network.expiredPages = 1

            let found = try await device.host.search("note", limit: 100)

            #expect(found.map(\.name) == (0..<Self.count).map { "note \($0)" })
            #expect(device.network.expiredPages == 0)
        }
    }
}
