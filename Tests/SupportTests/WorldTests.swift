import Foundation
import Testing

@testable import BasketSupport

@Suite("The world")
struct WorldTests {
    @Test("has threads of its own for what waits for a disk")
    func aside() async throws {
        let world = World.live(log: .silent)
        let name = try await world.aside {
            let bytes = try world.files.open("/proc/thread-self/comm").read(at: 0, count: 16)
            return String(decoding: bytes, as: UTF8.self)
        }
        #expect(name == "disk\n")
    }

    @Test("knows what the machine is called, without where it stands")
    func machine() {
        let name = World.live(log: .silent).machine
        #expect(!name.isEmpty && !name.contains("."))
        #expect(ProcessInfo.processInfo.hostName.hasPrefix(name))
    }
}
