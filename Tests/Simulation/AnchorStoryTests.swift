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

    @Test("that is too old has everything told again, and no content brought here again")
    func expired() throws {
        try Stage.play { cloud, device in
            for name in ["a", "b", "c"] { cloud.add(name, "text of \(name)") }
            try await device.host.waitForRest()
            for (_, node) in try device.nodes() { _ = try await device.text(of: node.id) }
            let told = device.network.told["everything"] ?? 0
            _ = device.network.takeSent()
            device.network.forgetOnce()
            cloud.rewrite("b", "another text")
            try await device.wait(seconds: 60)
            try await device.host.waitForRest()
            #expect(device.network.told["everything"] == told + 1)
            for (path, node) in try device.nodes() {
                let text = try await device.text(of: node.id)
                #expect(text == (path == "b" ? "another text" : "text of \(path)"))
            }
            // The one that had changed.
            let item = try #require(cloud.paths()["b"])
            let fetches = Set(device.network.takeSent().filter { $0.hasPrefix("fetch") })
            #expect(fetches.allSatisfy { $0.hasSuffix(item.id) } && !fetches.isEmpty, "\(fetches)")
        }
    }
}
