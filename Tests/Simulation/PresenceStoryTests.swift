import FileProviderHost
import FileProviderReplica
import Testing

@Suite("Somebody on a device")
struct PresenceStoryTests {
    @Test("is seen by others while it has a file open to write to, and not when it only looks")
    func presence() throws {
        try Stage.play { cloud, device in
            let id = try await device.create("a", in: .root, "text")
            try await device.host.waitForRest()
            let reader = try await device.open(id, for: .reading)
            try await device.open(id, for: .writing).close()
            try await device.wait(seconds: 20)
            #expect(device.network.told["a is open"] == nil)

            let first = try await device.open(id, for: .writing)
            let second = try await device.open(id, for: .writing)
            try await device.wait(seconds: 20)
            try await first.close()
            try await device.wait(seconds: 20)
            #expect(device.network.told["a is open"] == 1)
            #expect(device.network.told["a is closed"] == nil)
            try await second.close()
            try await device.wait(seconds: 1)
            #expect(device.network.told["a is closed"] == 1)
            try await reader.close()
        }
    }
}
