import BasketSupport
import Foundation
import Testing

@testable import BasketProvider

@Suite("What a device knows")
struct DeviceStateTests {
    private static func with(_ body: (String, World) async throws -> Void) async throws {
        let world = World.live(log: .silent)
        let folder = FileManager.default.temporaryDirectory.path + "/basket-\(UUID().uuidString)"
        try world.files.makeFolder(folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder, world)
    }

    @Test("is the same after a restart")
    func restart() async throws {
        try await Self.with { folder, world in
            let first = try DeviceState(folder: folder, name: "laptop", world: world)
            let replica = try await first.replica()
            try await first.pin(["item"], true)
            let second = try DeviceState(folder: folder, name: "laptop", world: world)
            #expect(try await second.replica() == replica)
            #expect(second.marks(of: "item").isPinned)
        }
    }

    @Test("knows what was sent last after a restart, though the clock was set back")
    func clock() async throws {
        try await Self.with { folder, world in
            let first = try DeviceState(folder: folder, name: "laptop", world: world)
            let (one, two) = (await first.sendingDate(), await first.sendingDate())
            #expect(one < two)
            var earlier = world
            earlier.now = { Timestamp(nanoseconds: world.now().nanoseconds - 3_600_000_000_000) }
            let second = try DeviceState(folder: folder, name: "laptop", world: earlier)
            let three = await second.sendingDate()
            #expect(two < three)
            let third = try DeviceState(folder: folder, name: "laptop", world: earlier)
            #expect(await third.sendingDate() > three)
        }
    }

    @Test("is told, also where the clock was set back since somebody was told last")
    func clockSetBack() async throws {
        try await Self.with { folder, world in
            let first = try DeviceState(folder: folder, name: "laptop", world: world)
            try await first.pin(["old"], true)
            // What somebody is told where nothing has changed is as late as the clock.
            let told = try DeviceState(folder: folder, name: "laptop", world: world).serial
            var earlier = world
            earlier.now = { Timestamp(nanoseconds: world.now().nanoseconds - 3_600_000_000_000) }
            let second = try DeviceState(folder: folder, name: "laptop", world: earlier)
            try await second.pin(["new"], true)
            let news = second.changed(since: told, limit: 10)
            #expect(news.items.contains("new") && !news.more)
            #expect(second.changed(since: news.serial, limit: 10).items.isEmpty)
        }
    }

    @Test("is made anew where it is damaged, which is kept")
    func damaged() async throws {
        try await Self.with { folder, world in
            try world.files.replace(folder + "/provider.json", with: Array("{".utf8))
            let state = try DeviceState(folder: folder, name: "laptop", world: world)
            _ = try await state.replica()
            let kept = try world.files.contents(of: folder + "/provider.json.damaged")
            #expect(kept == Array("{".utf8))
        }
    }

    @Test("is not made anew where the disk does not give it")
    func unreadable() async throws {
        try await Self.with { folder, world in
            try world.files.makeFolder(folder + "/provider.json")
            #expect(throws: FileError.self) {
                try DeviceState(folder: folder, name: "laptop", world: world)
            }
        }
    }
}
