import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Testing

@Suite("A provider's anchor")
struct AnchorStoryTests {
    @Test("that was lost on its way is asked for again, and not taken for none")
    func lost() throws {
        try Stage.play { cloud, device in
            cloud.add("a", "text")
            try await device.host.waitForRest()
            try device.loseDatabase()
            let before = device.network.told["everything"] ?? 0
            device.network.lostAnchors = 1
            try await device.start()
            try await device.host.waitForRest()
            cloud.add("b", "text")
            try await device.host.waitForRest()
            #expect(try device.nodes().map(\.path).sorted() == ["a", "b"])
            #expect(device.network.told["everything"] == before + 1)
        }
    }

    @Test("that cannot be found out is no reason to be told everything")
    func unreachable() throws {
        try Stage.play { cloud, device in
            cloud.add("a", "text")
            try await device.host.waitForRest()
            try device.loseDatabase()
            device.network.isCut = true
            device.network.lostAnchors = 2
            let before = device.network.told["everything"] ?? 0
            try await device.start()
            try await device.wait(seconds: 1)
            #expect(try device.replica.read { try $0.stage() } == .empty)
            device.network.lostAnchors = 0
            device.reconnect()
            try await device.host.waitForRest()
            #expect(try device.nodes().map(\.path) == ["a"])
            #expect(device.network.told["everything"] == before + 1)
        }
    }

    @Test("that there is none of has everything told after each signal")
    func none() throws {
        try Stage.play { cloud, device in
            cloud.add("a", "text")
            try await device.host.waitForRest()
            try device.loseDatabase()
            device.network.lostAnchors = .max
            try await device.start()
            try await device.host.waitForRest()
            let before = device.network.told["everything"] ?? 0
            cloud.add("b", "text")
            cloud.remove("a")
            try await device.host.waitForRest()
            #expect(try device.nodes().map(\.path) == ["b"])
            #expect((device.network.told["everything"] ?? 0) > before)
        }
    }
}
