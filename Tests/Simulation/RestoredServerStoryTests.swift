import FileProvider
import FileProviderHost
import FileProviderReplica
import Testing

@Suite("A server that is put back to where it was earlier")
struct RestoredServerStoryTests {
    /// A device that has gone on since the server was copied.
    private static func begin(_ stage: ServerStage) async throws -> Device {
        let device = try await stage.device("laptop")
        let file = try await device.create("changed", in: .root, "the old text")
        let gone = try await device.create("gone", in: .root, "a third text")
        try await device.host.waitForRest()
        try await stage.storage.keepCopy()
        try await device.wait(seconds: 60)
        try await device.write("the new text", to: file)
        try await device.remove(gone)
        let folder = try await device.makeFolder("folder", in: .root)
        _ = try await device.create("later", in: folder, "another text")
        try await device.host.waitForRest()
        // It hears of its own changes, too.
        try await device.wait(seconds: 10)
        #expect(try stage.storage.tree(for: "laptop")["folder/later"] == "another text")
        return device
    }

    private static func settle(_ device: Device) async throws {
        try await device.wait(seconds: 600)
        try await device.host.waitForRest()
    }

    @Test(
        "gets from its devices what it has lost, and takes nothing from them",
        arguments: [true, false])
    func restored(isTold: Bool) throws {
        try ServerStage.play(habits: .third) { stage in
            let device = try await Self.begin(stage)
            try await stage.storage.goBackToCopy(isTold: isTold)
            try await Self.settle(device)
            let tree = try stage.storage.tree(for: "laptop")
            #expect(tree["folder/later"] == "another text")
            #expect(Set(tree.values).isSuperset(of: ["the old text", "the new text"]))
            #expect(try Set(device.nodes().map(\.path)) == Set(tree.keys))
        }
    }

    @Test("is believed nothing by a device that comes later, either", arguments: [true, false])
    func away(isTold: Bool) throws {
        try ServerStage.play(habits: .third) { stage in
            let device = try await Self.begin(stage)
            await device.stop()
            try await stage.storage.goBackToCopy(isTold: isTold)
            try await device.start()
            try await Self.settle(device)
            let tree = try stage.storage.tree(for: "laptop")
            #expect(tree["folder/later"] == "another text")
            #expect(Set(tree.values).isSuperset(of: ["the old text", "the new text"]))
        }
    }

    @Test("answers nothing that is taken for news before everything was offered to it")
    func firstAnswer() throws {
        try ServerStage.play(habits: .third) { stage in
            let device = try await Self.begin(stage)
            try await stage.storage.goBackToCopy(isTold: true)
            // Somebody is quicker than all that tells of it.
            let file = try #require(
                try device.nodes().first { $0.path == "folder/later" }
            ).node.id
            try await device.move(file, to: .root, as: "moved")
            try await Self.settle(device)
            let tree = try stage.storage.tree(for: "laptop")
            #expect(tree["moved"] == "another text")
            #expect(Set(tree.values).isSuperset(of: ["the old text", "the new text"]))
        }
    }
}
