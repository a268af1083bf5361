import BasketSupport
import FileProvider
import FileProviderReplica
import Testing

@testable import FileProviderHost

@Suite("A disk that does not take what is written to it")
struct DiskFaultStoryTests {
    private static func path(of node: NodeID, _ device: Device) throws -> String {
        let file = try #require(try device.replica.read { try $0.node(node)?.file })
        return device.replica.contents.path(file)
    }

    private static func fail(_ paths: Set<String>, _ device: Device) async throws {
        device.disk.spoil(paths)
        // It says so once; then all seems to be well.
        for _ in 0..<3 { try? await device.replica.synchronise() }
    }

    @Test("is not believed later, and what was written is looked at after a crash")
    func edit() throws {
        try Stage.play { cloud, device in
            let file = try await device.create("a", in: .root, "the first text")
            let other = try await device.create("b", in: .root, "the second text")
            try await device.host.waitForRest()
            try await device.replica.synchronise()
            device.network.isCut = true
            for id in [file, other] { try await device.write("another, longer text", to: id) }
            try await Self.fail([Self.path(of: file, device)], device)
            try device.crash(leaving: 5)
            device.network.isCut = false
            try await device.start()
            try await device.host.waitForRest()
            #expect(
                cloud.tree() == [
                    "a": "the first text", "a (damaged 2027-01-15)": "anoth",
                    "b": "another, longer text",
                ])
        }
    }

    @Test("gets what the provider has a second time, when somebody reads it")
    func fetched() throws {
        try Stage.play { _, device in
            let file = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            try await device.replica.synchronise()
            try await device.host.evict(file)
            #expect(try await device.text(of: file) == "the first text")
            try await Self.fail([Self.path(of: file, device)], device)
            #expect(try device.replica.read { try $0.node(file)?.residence } == .dataless)
            #expect(try await device.text(of: file) == "the first text")
        }
    }

    @Test("lets go of what was written here as soon as the provider has it")
    func sent() throws {
        try Stage.play { cloud, device in
            device.network.isCut = true
            let file = try await device.create("a", in: .root, "the first text")
            try await Self.fail([Self.path(of: file, device)], device)
            #expect(try device.replica.read { try $0.node(file)?.residence } == .whole)
            device.network.isCut = false
            device.reconnect()
            try await device.host.waitForRest()
            #expect(cloud.tree() == ["a": "the first text"])
            try await device.replica.synchronise()
            #expect(try device.replica.read { try $0.node(file)?.residence } == .dataless)
        }
    }

    @Test("but for their lengths leaves none of the files as they were, when the power fails")
    func lengths() throws {
        try Stage.play { cloud, device in
            let file = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            try await device.replica.synchronise()
            device.network.isCut = true
            try await device.write("another, longer text", to: file)
            let path = try Self.path(of: file, device)
            try device.crash(leaving: .max)
            try device.disk.openToChange(path).resize(to: 0)
            try device.disk.openToChange(path).resize(to: 20)
            device.network.isCut = false
            try await device.start()
            try await device.host.waitForRest()
            #expect(cloud.tree()["a"] == "the first text")
            #expect(cloud.tree()["a (damaged 2027-01-15)"]?.utf8.count == 20)
        }
    }
}
