import BasketSupport
import FileProvider
import Foundation
import Testing

@testable import FileProviderHost
@testable import FileProviderReplica

@Suite("A disk that does not take what is written to it")
struct DiskFaultStoryTests {
    private static func path(of node: NodeID, _ device: Device) throws -> String {
        let file = try #require(try device.replica.read { try $0.node(node)?.file })
        return device.replica.contents.path(file)
    }

    /// A file that was brought here just now.
    private static func fetched(_ device: Device) async throws -> NodeID {
        let file = try await device.create("a", in: .root, "the first text")
        try await device.host.waitForRest()
        try await device.replica.synchronise()
        try await device.host.evict(file)
        #expect(try await device.text(of: file) == "the first text")
        return file
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
            let file = try await Self.fetched(device)
            try await Self.fail([Self.path(of: file, device)], device)
            #expect(try device.replica.read { try $0.node(file)?.residence } == .dataless)
            #expect(try await device.text(of: file) == "the first text")
        }
    }

    @Test("is heard also where it has told somebody else before")
    func toldOthers() throws {
        try Stage.play { _, device in
            let file = try await Self.fetched(device)
            let other = try device.disk.openDisk(holding: device.folder)
            device.disk.spoil([try Self.path(of: file, device)])
            #expect(throws: FileError.self) { try other.synchronize() }
            try await device.replica.synchronise()
            #expect(try device.replica.read { try $0.node(file)?.residence } == .dataless)
        }
    }

    @Test("is heard also where it has told another process before this one began")
    func toldBefore() throws {
        try Stage.play { _, device in
            let file = try await Self.fetched(device)
            let other = try device.disk.openDisk(holding: device.folder)
            device.disk.spoil([try Self.path(of: file, device)])
            #expect(throws: FileError.self) { try other.synchronize() }
            device.kill()
            try await device.start()
            try await device.replica.synchronise()
            #expect(try device.replica.read { try $0.node(file)?.residence } == .dataless)
        }
    }

    @Test("is not believed of what a program saves by another name, beside what was there before")
    func saved() throws {
        try Stage.play { cloud, device in
            let file = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            device.network.isCut = true
            try await device.write("a second text", to: file)
            try await device.wait(seconds: 5)
            try await device.replica.synchronise()
            let draft = try await device.create("draft", in: .root, "a third text")
            try await Self.fail([Self.path(of: draft, device)], device)
            try await device.move(draft, to: .root, as: "a")
            for _ in 0..<2 { try await device.replica.synchronise() }
            try await device.replica.removeDiscarded()
            try device.crash(leaving: 5)
            device.network.isCut = false
            try await device.start()
            try await device.host.waitForRest()
            #expect(cloud.tree().values.contains("a second text"))
        }
    }

    @Test(
        "has what it has refused copied where somebody keeps it, and no second name given to that")
    func kept() throws {
        try Stage.play { _, device in
            device.network.isCut = true
            let file = try await device.create("a", in: .root, "the first text")
            let number = try #require(try device.replica.read { try $0.node(file)?.file })
            func names(as place: String) throws -> Int? {
                let path = device.folder + "/" + place
                try KeptFile(replica: device.replica, files: device.disk).keep(number, at: path)
                return try FileManager.default.attributesOfItem(atPath: path)[.referenceCount]
                    as? Int
            }
            #expect(try names(as: "trusted") == 2)
            try await Self.fail([Self.path(of: file, device)], device)
            #expect(try names(as: "distrusted") == 1)
        }
    }

    @Test("is believed again where what it has refused stays here and is written anew")
    func excluded() throws {
        try Stage.play { _, device in
            let file = try await device.create("n.local", in: .root, "the first text")
            try await device.host.waitForRest()
            try await device.write("a second text", to: file)
            try await Self.fail([Self.path(of: file, device)], device)
            await #expect(throws: FileError.self) { try await device.synchronise(file) }
            try await device.write("another text", to: file)
            try await device.synchronise(file)
            #expect(try await device.text(of: file) == "another text")
        }
    }

    @Test("is asked to take it once more before the provider deletes what it has refused")
    func moved() throws {
        try Stage.play { cloud, device in
            let file = try await device.create("a", in: .root, "the first text")
            let folder = try await device.makeFolder("own.local", in: .root)
            try await device.host.waitForRest()
            try await device.replica.synchronise()
            try await device.host.evict(file)
            #expect(try await device.text(of: file) == "the first text")
            device.disk.spoil([try Self.path(of: file, device)])
            try await device.move(file, to: folder, as: "a")
            try await device.wait(seconds: 120)
            #expect(cloud.tree().isEmpty)
            #expect(try await device.text(of: file) == "the first text")
            try await device.synchronise(file)
        }
    }

    @Test("gets what is pinned a second time, without being asked")
    func pinned() throws {
        try Stage.play { _, device in
            let folder = try await device.makeFolder("pinned", in: .root)
            let file = try await device.create("a", in: folder, "the first text")
            try await device.host.waitForRest()
            try await device.replica.synchronise()
            let bad = try Self.path(of: file, device)
            // What lies there is what was written once more, in vain.
            try device.disk.openToChange(bad).write(Array("the".utf8), at: 0)
            try await device.replica.write { transaction in
                let number = try transaction.reader.node(file)?.file
                try number.map(transaction.noteVolatile)
            }
            try await Self.fail([bad], device)
            try await device.wait(seconds: 60)
            #expect(try device.replica.read { try $0.node(file)?.residence } == .whole)
            #expect(try Self.path(of: file, device) != bad)
        }
    }

    @Test("gets what was written here and is pinned as soon as the provider has it")
    func pinnedEdit() throws {
        try Stage.play { _, device in
            let folder = try await device.makeFolder("pinned", in: .root)
            try await device.host.waitForRest()
            device.network.isCut = true
            let file = try await device.create("a", in: folder, "the first text")
            let bad = try Self.path(of: file, device)
            try await Self.fail([bad], device)
            device.reconnect()
            try await device.wait(seconds: 60)
            #expect(try device.replica.read { try $0.node(file)?.residence } == .whole)
            #expect(try Self.path(of: file, device) != bad)
        }
    }

    @Test("lets no program believe what it has not taken, nor the provider delete what is the last")
    func believed() throws {
        try Stage.play { cloud, device in
            let file = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            let folder = try await device.makeFolder("own.local", in: .root)
            try await device.host.waitForRest()
            device.network.isCut = true
            let open = try await device.open(file, for: .writing)
            try await open.write(Array("another".utf8), at: 0)
            try await device.wait(seconds: 5)
            try await Self.fail([Self.path(of: file, device)], device)
            for _ in 0..<2 {
                await #expect(throws: FileError.self) { try await open.synchronise() }
            }
            try await open.close()
            try await device.move(file, to: folder, as: "a")
            device.reconnect()
            try await device.wait(seconds: 60)
            #expect(cloud.tree() == ["a": "the first text"])
            #expect(try await device.text(of: file) == "anotherst text")
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
