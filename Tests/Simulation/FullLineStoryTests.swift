import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Testing

@Suite("A line of large files", .timeLimit(.minutes(60)))
struct FullLineStoryTests {
    private static let count = 2500

    @Test("keeps nothing else waiting, however long it is, and comes to its end")
    func others() throws {
        var settings = HostSettings()
        settings.smallContent = 4
        try Stage.play(settings: settings) { cloud, device in
            cloud.add("theirs", "text")
            let ours = try await device.create("ours", in: .root, "text")
            let old = try await device.create("old", in: .root, "text")
            try await device.host.waitForRest()
            // Each takes two minutes, and eight are on their way at a time.
            device.network.delay = .seconds(60)
            for number in 0..<Self.count {
                _ = try await device.create("large \(number)", in: .root, "a longer text")
            }
            try await device.wait(seconds: 60)

            try await device.move(ours, to: .root, as: "ours still")
            try await device.remove(old)
            _ = try await device.create("small", in: .root, "new")
            cloud.rename("theirs", to: "theirs still")
            try await device.wait(seconds: 600)

            let there = cloud.paths()
            #expect(there["ours still"] != nil)
            #expect(there["old"] == nil)
            #expect(there["small"] != nil)
            #expect(try device.nodes().contains { $0.path == "theirs still" })
            #expect(there.count < 100)
            device.network.delay = .zero
            try await device.host.waitForRest()
            #expect(cloud.paths().count == Self.count + 3)
        }
    }
}
