import FileProvider
import FileProviderHost
import FileProviderReplica
import Testing

@Suite("Who reads in the interactive testing mode")
struct TestingModeContentTests {
    private static var settings: HostSettings {
        var settings = HostSettings()
        settings.testingModes = .interactive
        return settings
    }

    private func play(
        inParts: Bool = false, isLazy: Bool = false,
        _ body: @escaping @Sendable (Cloud, Device) async throws -> Void
    ) throws {
        try Stage.play(inParts: inParts, isLazy: isLazy, settings: Self.settings, body)
    }

    @Test("waits until the content was fetched", arguments: [false, true])
    func reading(inParts: Bool) throws {
        try play(inParts: inParts) { cloud, device in
            cloud.add("a", "the text of a file")
            try await device.runAll()
            let file = try #require(try device.nodes().first?.node.id)
            async let text = device.text(of: file)
            try await device.wait(seconds: 1000)
            #expect(try device.residence(of: file) == .dataless)
            #expect(try await device.available() == ["fetch item1"])
            try await device.run("fetch item1")
            try await device.runAll()
            #expect(try await text == "the text of a file")
            #expect(try await device.available() == [])
        }
    }

    @Test("learns why it could not be fetched")
    func readingFails() throws {
        try play { cloud, device in
            cloud.add("a", "text")
            try await device.runAll()
            let file = try #require(try device.nodes().first?.node.id)
            async let text = device.text(of: file)
            device.network.isCut = true
            try await device.wait(seconds: 1)
            await #expect(throws: NSFileProviderError(.serverUnreachable)) {
                try await device.run("fetch item1")
            }
            var failure: (any Error)?
            do { _ = try await text } catch { failure = error }
            let code = failure.flatMap { NSFileProviderError(bridging: $0)?.code }
            #expect(code == .serverUnreachable)
            #expect(try await device.available() == [])
        }
    }

    @Test("sees a folder once that was listed, and has what is wanted fetched")
    func wanted() throws {
        try play(isLazy: true) { cloud, device in
            cloud.add("folder", nil)
            cloud.add("a", "text", in: "item1")
            #expect(try await device.available() == [])
            async let root: Void = device.host.list(.root)
            try await device.wait(seconds: 1)
            let list = "list \(NSFileProviderItemIdentifier.rootContainer.rawValue)"
            #expect(try await device.available() == [list])
            try await device.run(list)
            try await root
            let folder = try #require(try device.nodes().first?.node.id)
            try await device.manager.requestDownloadForItem(withIdentifier: .init("item1"))
            #expect(try await device.available() == ["list item1"])
            try await device.run("list item1")
            #expect(try device.nodes().map(\.path) == ["folder", "folder/a"])
            #expect(try device.replica.read { try $0.node(folder)?.isListed } == true)

            try await device.manager.requestDownloadForItem(withIdentifier: .init("item2"))
            try await device.run("fetch item2")
            #expect(try device.nodes().last?.node.residence == .whole)
        }
    }
}
