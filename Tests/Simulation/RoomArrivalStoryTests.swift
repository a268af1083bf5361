import FileProviderReplica
import Testing

@testable import FileProviderHost

@Suite("Room for what is on its way here")
struct RoomArrivalStoryTests {
    private static func limits(_ most: Int64) -> HostSettings {
        var settings = HostSettings()
        settings.contentLimits.most = most
        settings.contentLimits.lowMark = 1
        return settings
    }

    /// Files of ten bytes each, of which none is here.
    private static func files(_ names: [String], _ device: Device) async throws -> [NodeID] {
        var files: [NodeID] = []
        for name in names {
            files.append(try await device.create(name, in: .root, "0123456789"))
            try await device.host.waitForRest()
            try await device.host.evict(files[files.count - 1])
        }
        return files
    }

    @Test("is not taken once more by what has come")
    func countedOnce() throws {
        try Stage.play(settings: Self.limits(20)) { _, device in
            let files = try await Self.files(["a", "b"], device)
            _ = try await device.text(of: files[0])
            try await device.host.room.with(10) { arrival in
                arrival.end()
                // As if these were the bytes that have come, while others look.
                _ = try await device.text(of: files[1])
                try await device.host.room.keep()
            }
            #expect(try device.residence(of: files[0]) == .whole)
            #expect(try device.residence(of: files[1]) == .whole)
        }
    }

    @Test("is looked for again as soon as something has come that may go")
    func soughtAgain() throws {
        try Stage.play(settings: Self.limits(35)) { _, device in
            let files = try await Self.files(["a", "b"], device)
            device.network.isCut = true
            _ = try await device.create("unsent", in: .root, "0123456789abcdefghij")
            device.network.isCut = false
            try await device.host.room.with(10) { arrival in
                await #expect(throws: LocalError.noRoom) { try await device.text(of: files[1]) }
                arrival.end()
                _ = try await device.text(of: files[0])
            }
            #expect(try await device.text(of: files[1]) == "0123456789")
        }
    }
}
