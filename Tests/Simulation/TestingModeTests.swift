import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Foundation
import Synchronization
import Testing

@Suite("A domain in the interactive testing mode")
struct TestingModeTests {
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

    // MARK: By itself

    @Test("does nothing by itself, however long it is left alone")
    func nothing() throws {
        try play { cloud, device in
            try await device.runAll()
            _ = try await device.create("a", in: .root, "text")
            cloud.add("b", "text")
            try await device.wait(seconds: 100_000)
            #expect(device.network.created == 0)
            #expect(cloud.tree() == ["b": "text"])
            #expect(try device.nodes().map(\.path) == ["a"])
        }
    }

    @Test("keeps contents, also when they are more than there is room for")
    func keepsContents() throws {
        var settings = Self.settings
        settings.contentLimits.most = 4
        try Stage.play(settings: settings) { _, device in
            let file = try await device.create("a", in: .root, "a long text")
            try await device.runAll()
            try await device.wait(seconds: 100_000)
            #expect(try device.residence(of: file) == .whole)
        }
    }

    // MARK: Towards the provider

    @Test("makes a folder, and then what lies in it, with what it says of them")
    func creations() throws {
        try play { cloud, device in
            try await device.runAll()
            let folder = try await device.makeFolder("folder", in: .root)
            _ = try await device.create("a", in: folder, "text")
            let listed = try await device.host.availableOperations()
            #expect(listed.map(\.words) == ["create fileProvider folder"])
            let creation = try #require(listed.first as? any NSFileProviderTestingCreation)
            #expect(creation.type == .creation)
            #expect(creation.sourceItem.parentItemIdentifier == .rootContainer)
            #expect(creation.domainVersion?.stored == 0)

            #expect(await device.host.run(listed).isEmpty)
            #expect(cloud.tree() == ["folder": "/"])
            let next = try await device.host.availableOperations()
                .compactMap { $0 as? any NSFileProviderTestingCreation }
            #expect(next.map(\.sourceItem.filename) == ["a"])
            #expect(next.map(\.sourceItem.parentItemIdentifier.rawValue) == ["item1"])
            #expect(next.first?.sourceItem.documentSize == NSNumber(value: 4))
            try await device.run("create fileProvider a")
            #expect(cloud.tree() == ["folder": "/", "folder/a": "text"])
        }
    }

    @Test("sends a change with its fields and what it is based on, and a deletion likewise")
    func modification() throws {
        try play { cloud, device in
            let file = try await device.create("a", in: .root, "text")
            try await device.runAll()
            try await device.move(file, to: .root, as: "b")
            try await device.tag(file, 3)
            let modifications = try await device.host.availableOperations()
                .compactMap { $0 as? any NSFileProviderTestingModification }
            let modification = try #require(modifications.first)
            #expect(modifications.count == 1)
            #expect(modification.targetSide == .fileProvider)
            #expect(modification.targetItemIdentifier.rawValue == "item1")
            #expect(modification.sourceItem.filename == "b")
            #expect(modification.changedFields == [.filename, .tagData])
            #expect(modification.targetItemBaseVersion.contentVersion == Data("1".utf8))
            try await device.run("modify fileProvider b")
            #expect(cloud.tree() == ["b": "text"])
            try await device.runAll()

            try await device.remove(file)
            let deletion = try #require(
                try await device.host.availableOperations().first
                    as? any NSFileProviderTestingDeletion)
            #expect(deletion.targetSide == .fileProvider)
            #expect(deletion.sourceItemIdentifier.rawValue == "item1")
            #expect(deletion.targetItemBaseVersion.contentVersion == Data("1".utf8))
            #expect(cloud.tree() == ["b": "text"])
            try await device.run("delete fileProvider item1")
            #expect(cloud.tree().isEmpty)
        }
    }

    @Test("sends nothing that is being written to")
    func beingWritten() throws {
        try play { _, device in
            let file = try await device.create("a", in: .root, "text")
            try await device.runAll()
            let open = try await device.open(file, for: .writing)
            try await open.write(Array("more".utf8), at: 4)
            #expect(try await device.available() == [])
            try await open.close()
            #expect(try await device.available() == ["modify fileProvider a"])
        }
    }

    // MARK: From the provider

    @Test("takes in what the provider tells, and does it here after that")
    func tidings() throws {
        try play { cloud, device in
            try await device.runAll()
            cloud.add("a", "text")
            let listed = try await device.host.availableOperations()
            #expect(listed.map(\.words) == ["take in fileProvider a"])
            let ingestion = try #require(listed.first as? any NSFileProviderTestingIngestion)
            #expect(ingestion.itemIdentifier.rawValue == "item1")
            #expect(try device.nodes().isEmpty)
            try await device.run("take in fileProvider a")
            #expect(try device.nodes().isEmpty)
            try await device.run("create disk a")
            #expect(try device.nodes().map(\.path) == ["a"])

            cloud.rename("a", to: "b")
            try await device.run("take in fileProvider b")
            let modification = try #require(
                try await device.host.availableOperations().first
                    as? any NSFileProviderTestingModification)
            #expect(modification.targetSide == .disk)
            #expect(modification.changedFields == [.filename])
            #expect(try device.nodes().map(\.path) == ["a"])
            try await device.run("modify disk b")
            #expect(try device.nodes().map(\.path) == ["b"])

            cloud.remove("b")
            try await device.run("take in fileProvider nothing")
            #expect(try device.nodes().map(\.path) == ["b"])
            try await device.run("delete disk item1")
            #expect(try device.nodes().isEmpty)
            #expect(try await device.available() == [])
            #expect(try device.host.isAtRest())
        }
    }

    @Test("begins with all that the working set holds")
    func everything() throws {
        try play { cloud, device in
            cloud.add("a", "text")
            let all = "list \(NSFileProviderItemIdentifier.workingSet.rawValue)"
            #expect(try await device.available() == [all])
            #expect(try device.nodes().isEmpty)
            try await device.run(all)
            #expect(try device.nodes().map(\.path) == ["a"])
        }
    }

    @Test("looks a folder up that nobody has told of, before what lies in it")
    func lookUp() throws {
        try play { cloud, device in
            try await device.runAll()
            cloud.add("folder", nil)
            cloud.add("a", "text", in: "item1")
            cloud.forgetChange(of: "item1")
            // In half of all cases it tells folders first.
            let listed = try await device.available()
            if listed == ["look up item1"] { try await device.run("look up item1") }
            #expect(try await device.available() == ["take in fileProvider folder"])
            try await device.run("take in fileProvider folder")
            #expect(
                try await device.available() == ["create disk folder", "take in fileProvider a"])
            try await device.runAll()
            #expect(try device.nodes().map(\.path) == ["folder", "folder/a"])
        }
    }

    @Test("takes in a folder before what lies in it, in whatever order they are told")
    func order() throws {
        try play { cloud, device in
            try await device.runAll()
            for number in 0..<8 {
                cloud.add("folder", nil)
                cloud.add("a", "text", in: "item\(2 * number + 1)")
                // The folder is told of last, but for those who tell folders first.
                cloud.rename("folder", to: "folder \(number)")
                #expect(
                    try await device.available() == ["take in fileProvider folder \(number)"])
                try await device.runAll()
            }
            #expect(try device.nodes().count == 16)
        }
    }

    @Test("gives what has no free name here another one")
    func collision() throws {
        try play { cloud, device in
            try await device.runAll()
            _ = try await device.create("a", in: .root, "mine")
            cloud.add("a", "theirs")
            try await device.run("take in fileProvider a")
            let listed = try await device.host.availableOperations()
            let collision = try #require(
                listed.lazy.compactMap { $0 as? any NSFileProviderTestingCollisionResolution }
                    .first)
            #expect(collision.side == .disk && collision.type == .collisionResolution)
            #expect(collision.renamedItem.filename == "a 2")
            #expect(collision.renamedItem.itemIdentifier.rawValue == "item1")
            try await device.run("rename disk a 2")
            let names = try device.nodes().compactMap(\.node.trees.local?.name).sorted()
            #expect(names == ["a", "a 2"])
        }
    }

    // MARK: What does not come

    @Test("does nothing of what was listed when things have moved on")
    func outdated() throws {
        try play { cloud, device in
            let file = try await device.create("a", in: .root, "text")
            try await device.runAll()
            try await device.move(file, to: .root, as: "b")
            let old = try await device.host.availableOperations()
            try await device.move(file, to: .root, as: "c")
            let errors = await device.host.run(old)
            #expect(old.count == 1 && errors.count == 1)
            let error = try #require(errors[old[0]])
            #expect("\(error.localizedDescription)".contains("moved on"))
            #expect(cloud.tree() == ["a": "text"])
            #expect(device.network.modified.isEmpty)

            cloud.rename("a", to: "d")
            let told = try await device.host.availableOperations()
                .filter { $0.type == .ingestion }
            #expect(await device.host.run(told).isEmpty)
            #expect(await device.host.run(told).count == told.count)
        }
    }

    @Test("tells why an operation failed, and has it available again")
    func failures() throws {
        try play { cloud, device in
            try await device.runAll()
            _ = try await device.create("a", in: .root, "text")
            let listed = try await device.host.availableOperations()
            device.network.isCut = true
            let errors = await device.host.run(listed)
            #expect(
                NSFileProviderError(bridging: try #require(errors[listed[0]]))?.code
                    == .serverUnreachable)
            device.network.isCut = false
            let again = try await device.host.availableOperations()
            #expect(again == listed)
            #expect(Set(again) == Set(listed))
            #expect(await device.host.run(again).isEmpty)
            #expect(cloud.tree() == ["a": "text"])
        }
    }

    @Test("goes on after a restart with what was told and not taken in")
    func restart() throws {
        try play { cloud, device in
            try await device.runAll()
            cloud.add("a", "text")
            cloud.add("b", "text")
            try await device.run("take in fileProvider a")
            device.kill()
            try await device.start()
            try await device.runAll()
            #expect(try device.nodes().map(\.path) == ["a", "b"])
        }
    }

    @Test("is brought to the same state on both sides in any order", arguments: UInt64(0)..<30)
    func anyOrder(seed: UInt64) throws {
        try play { cloud, device in
            let random = Mutex(SeededGenerator(seed: seed))
            let draw = { @Sendable (count: Int) in
                random.withLock { Int.random(in: 0..<count, using: &$0) }
            }
            try await device.runAll(choosing: draw)
            for round in 0..<6 {
                try await change(cloud, device, round, draw)
                for _ in 0..<draw(8) {
                    let available = try await device.host.availableOperations()
                    guard !available.isEmpty else { break }
                    _ = await device.host.run([available[draw(available.count)]])
                }
            }
            try await device.runAll(choosing: draw)
            #expect(try device.host.isAtRest())
            let paths = Set(try device.nodes().map(\.path))
            #expect(paths == Set(cloud.tree().keys))
        }
    }

    /// Something happens on either side.
    private func change(
        _ cloud: Cloud, _ device: Device, _ round: Int, _ draw: @Sendable (Int) -> Int
    ) async throws {
        let nodes = try device.nodes()
        let folders = [NodeID.root] + nodes.filter { $0.node.kind == .folder }.map(\.node.id)
        let place = folders[draw(folders.count)]
        switch draw(6) {
        case 0: _ = try await device.create("new\(round)", in: place, "text \(round)")
        case 1: try await device.makeFolder("folder\(round)", in: place)
        case 2: cloud.add("told\(round)", draw(2) == 0 ? nil : "told")
        case 3: cloud.rename("told\(draw(6))", to: "new\(draw(6))")
        case 4 where !nodes.isEmpty:
            let node = nodes[draw(nodes.count)].node
            if try !device.replica.read({ try $0.lies(place, below: node.id) }) {
                _ = try? await device.move(node.id, to: place, as: "moved\(round)")
            }
        default: cloud.remove("told\(draw(6))")
        }
    }

    // MARK: The manager

    @Test("is had by the manager, on a thread of the caller's")
    func manager() throws {
        try play { cloud, device in
            try await device.runAll()
            _ = try await device.create("a", in: .root, "text")
            let manager = device.manager
            let errors = Mutex<Result<Int, any Error>?>(nil)
            Thread.detachNewThread {
                let result = Result { () throws -> Int in
                    let operations = try manager.listAvailableTestingOperations()
                    let count = operations.count
                    return try count + manager.run(operations).count
                }
                errors.withLock { $0 = result }
            }
            while errors.withLock({ $0 }) == nil { try await device.wait(seconds: 1) }
            #expect(try errors.withLock { $0 }?.get() == 1)
            #expect(cloud.tree() == ["a": "text"])
        }
    }

    @Test("is the only one whose manager runs anything")
    func otherDomains() throws {
        try Stage.play { _, device in
            #expect(throws: HostError.self) { try device.manager.listAvailableTestingOperations() }
            #expect(throws: HostError.self) { try device.manager.run([]) }
        }
    }
}
