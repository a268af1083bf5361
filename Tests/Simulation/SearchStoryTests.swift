import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Foundation
import Synchronization
import Testing

@Suite("A search")
struct SearchStoryTests {
    private static var settings: HostSettings {
        var settings = HostSettings()
        settings.supportsSearch = true
        return settings
    }

    @Test("finds each item once, page by page, and knows which of them are here")
    func pages() throws {
        try Stage.play(isLazy: true, settings: Self.settings) { cloud, device in
            cloud.add("folder", nil)
            let folder = cloud.state.withLock { $0.items.values.first?.id ?? "" }
            for number in 1...5 { cloud.add("note \(number)", "text") }
            cloud.add("note inside", "text", in: folder)
            cloud.add("other", "text")
            try await device.host.list(.root)
            try await device.host.waitForRest()

            let found = try await device.host.search("note", limit: 100)

            let names = (1...5).map { "note \($0)" } + ["note inside"]
            #expect(found.map(\.name) == names)
            #expect(found.map { $0.node != nil } == [true, true, true, true, true, false])
            let paths = try device.nodes().reduce(into: [:]) { $0[$1.node.id] = $1.path }
            #expect(found.compactMap { $0.node.flatMap { paths[$0] } } == names.dropLast())
            #expect(found.first?.size == 4)
            #expect(device.network.companion.searches.first == "note first 100")
            #expect(device.network.companion.searches.last == "over")

            device.network.companion.searches = []
            #expect(try await device.host.search("note", limit: 2).count == 2)
            #expect(device.network.companion.searches == ["note first 2", "over"])
        }
    }

    @Test("is for domains that say so")
    func unsupported() throws {
        try Stage.play { _, device in
            let error = await #expect(throws: CocoaError.self) {
                try await device.host.search("note", limit: 10)
            }
            #expect(error?.code == .featureUnsupported)
            #expect(device.network.companion.searches == [])
        }
    }

    @Test("that holds to no limit is given up, and so is one that fails: neither is asked again")
    func limits() throws {
        try Stage.play(settings: Self.settings) { cloud, device in
            for number in 1...5 { cloud.add("note \(number)", "text") }
            device.network.companion.searchesWithoutEnd = true
            await #expect(throws: HostError.self) {
                try await device.host.search("note", limit: 4)
            }
            #expect(device.network.companion.searches == ["note first 4", "over"])
            device.network.companion.searches = []
            device.network.isCut = true
            await #expect(throws: NSFileProviderError.self) {
                try await device.host.search("note", limit: 4)
            }
            #expect(device.network.companion.searches == ["note first 4", "over"])
        }
    }

    @Test("leaves out what has no identifier, and finds the rest")
    func nameless() throws {
        try Stage.play(settings: Self.settings) { cloud, device in
            for number in 1...5 { cloud.add("note \(number)", "text") }
            device.network.companion.namelessResults = ["note 2", "note 5"]

            let found = try await device.host.search("note", limit: 10)

            #expect(found.map(\.name) == ["note 1", "note 3", "note 4"])
        }
    }

    @Test("that nobody waits for any more ends at once, and the provider is told")
    func cancellation() throws {
        try Stage.play(settings: Self.settings) { _, device in
            device.network.delay = .seconds(60)
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    await #expect(throws: CancellationError.self) {
                        try await device.host.search("note", limit: 4)
                    }
                }
                try? await device.wait(seconds: 1)
                #expect(device.network.companion.searches == ["note first 4"])
                group.cancelAll()
                await group.waitForAll()
                #expect(device.network.companion.searches == ["note first 4", "over"])
            }
        }
    }
}
