import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Testing

@Suite("What may be nowhere else")
struct OnlyCopyStoryTests {
    private static let editor = Program(name: "editor")

    /// Somebody has begun to write a file anew.
    private static func beginAnew(
        _ id: NodeID, _ device: Device, _ text: String
    ) async throws -> OpenFile {
        let file = try await device.host.open(id, for: .replacing, by: editor)
        try await file.write(Array(text.utf8), at: 0)
        return file
    }

    private static func restart(_ device: Device) async throws {
        device.network.isCut = false
        try await device.start()
        device.reconnect()
        try await device.host.waitForRest()
        try await device.replica.removeDiscarded()
        #expect(try device.orphans().isEmpty)
    }

    @Test(
        "is not written over with a beginning, after a power cut",
        arguments: [false, true], [false, true])
    func begun(losesDatabase: Bool, isFlushed: Bool) throws {
        try Stage.play { cloud, device in
            let id = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            device.network.isCut = true
            let file = try await Self.beginAnew(id, device, "anoth")
            if isFlushed {
                try await device.host.setAttributes(of: id) { $0.tags = nil }
            }
            try await device.replica.makeCommitsDurable()
            withExtendedLifetime(file) {}
            try device.crash(leaving: .max)
            if losesDatabase { try device.loseDatabase() }
            try await Self.restart(device)
            #expect(
                cloud.tree() == ["a": "the first text", "a (damaged 2027-01-15)": "anoth"])
        }
    }

    @Test("is there again where somebody had begun to write it anew")
    func unsent() throws {
        try Stage.play { cloud, device in
            let id = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            device.network.isCut = true
            try await device.write("the second text", to: id)
            try await device.replica.synchronise()
            _ = try await Self.beginAnew(id, device, "anoth")
            try await device.replica.makeCommitsDurable()
            try device.crash(leaving: .max)
            try await Self.restart(device)
            #expect(
                cloud.tree() == ["a": "the second text", "a (damaged 2027-01-15)": "anoth"])
        }
    }

    @Test("is there again, beside what was begun, where the database has gone as well")
    func unsentWithoutDatabase() throws {
        try Stage.play { cloud, device in
            let id = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            device.network.isCut = true
            try await device.write("the second text", to: id)
            try await device.replica.synchronise()
            _ = try await Self.beginAnew(id, device, "anoth")
            try await device.replica.makeCommitsDurable()
            try device.crash(leaving: .max)
            try device.loseDatabase()
            try await Self.restart(device)
            #expect(cloud.tree()["a"] == "the second text")
            #expect(Set(cloud.tree().values) == ["the second text", "anoth"])
        }
    }

    @Test("does not come back once what was written in its place is said to be on the disk")
    func journalOfADatabase() throws {
        try Stage.play { cloud, device in
            try await device.host.waitForRest()
            device.network.isCut = true
            let id = try await device.create("journal", in: .root, "the first text")
            try await device.replica.synchronise()
            let file = try await Self.beginAnew(id, device, "another text")
            try await file.synchronise()
            try await file.resize(to: 0)
            try await device.replica.makeCommitsDurable()
            try device.crash(leaving: 0)
            try await Self.restart(device)
            #expect(cloud.tree() == ["journal": ""])
        }
    }

    @Test("is not written over by what is left of it, where the database went before the power")
    func foundAndDamaged() throws {
        try Stage.play { cloud, device in
            let id = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            try await device.replica.synchronise()
            device.network.isCut = true
            try await device.write("another text", to: id)
            try device.loseDatabase(isAll: true)
            try await device.start()
            try await device.wait(seconds: 5)
            try device.crash(leaving: 5)
            try await Self.restart(device)
            #expect(
                cloud.tree() == ["a": "the first text", "a (damaged 2027-01-15)": "anoth"])
        }
    }

    @Test("comes back as it was last, where more than one of its contents is left")
    func newestFirst() throws {
        try Stage.play { cloud, device in
            let id = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            device.network.isCut = true
            for text in ["the second text", "the third text"] {
                _ = try await Self.beginAnew(id, device, text).close()
                if text == "the second text" { try await device.replica.synchronise() }
            }
            try device.loseDatabase(isAll: true)
            try await Self.restart(device)
            #expect(cloud.tree()["a"] == "the third text")
        }
    }

    @Test("goes back to the provider, where others have deleted it while it was to stay here")
    func deletedElsewhere() throws {
        try Stage.play { cloud, device in
            let id = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            device.network.delay = .seconds(10)
            try await device.move(id, to: .root, as: "a.local")
            while try device.replica.read({ try $0.node(id)?.exclusion }) == .no {
                try await device.wait(milliseconds: 10)
            }
            // The deletion is on its way, and meets another one that nobody is told of.
            let item = try #require(cloud.paths()["a"]?.id)
            cloud.remove("a")
            cloud.forgetChange(of: item)
            try await device.host.waitForRest()
            device.network.delay = .zero
            try await device.move(id, to: .root, as: "a")
            try await device.host.waitForRest()
            #expect(try await device.text(of: id) == "the first text")
            #expect(cloud.tree() == ["a": "the first text"])
        }
    }

    @Test("goes back to the provider, where its folder came to stay here as others deleted it")
    func deletedInFolder() throws {
        try Stage.play { cloud, device in
            let folder = try await device.makeFolder("folder", in: .root)
            let id = try await device.create("a", in: folder, "the first text")
            try await device.host.waitForRest()
            let identifier = try device.identifier(of: id)
            device.network.isCut = true
            cloud.remove("a")
            try await device.replica.write { transaction in
                try transaction.update(folder) { $0.stay(because: .byProvider) }
                try transaction.forget(identifier)
            }
            device.network.isCut = false
            device.reconnect()
            try await device.host.waitForRest()
            try await device.move(folder, to: .root, as: "other")
            try await device.host.waitForRest()
            #expect(try await device.text(of: id) == "the first text")
            #expect(cloud.tree() == ["other": "/", "other/a": "the first text"])
        }
    }

    @Test(
        "is not deleted at the provider because of a name that it has no more",
        arguments: [false, true])
    func lateExclusion(isNew: Bool) throws {
        try Stage.play { cloud, device in
            try await device.host.waitForRest()
            var id = NodeID.root
            if !isNew {
                id = try await device.create("a", in: .root, "text")
                try await device.host.waitForRest()
            }
            device.network.companion.pauseBeforeAnswers = .seconds(60)
            if isNew {
                id = try await device.create("a.local", in: .root, "text")
            } else {
                try await device.move(id, to: .root, as: "a.local")
            }
            try await device.wait(seconds: 20)
            try await device.move(id, to: .root, as: "b")
            try await device.wait(seconds: 20)
            device.network.companion.pauseBeforeAnswers = nil
            try await device.wait(seconds: 60)
            try await device.host.waitForRest()
            #expect(cloud.tree() == ["b": "text"])
            #expect(try await device.text(of: id) == "text")
        }
    }

    @Test("is there as it was after a power cut, though the provider is being asked to delete it")
    func leaving() throws {
        try Stage.play { cloud, device in
            let id = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            try await device.replica.synchronise()
            device.network.companion.pauseBeforeAnswers = .seconds(60)
            try await device.move(id, to: .root, as: "a.local")
            while !cloud.tree().isEmpty { try await device.wait(milliseconds: 10) }
            try await device.write("another text", to: id)
            try device.crash(leaving: 5)
            device.network.companion.pauseBeforeAnswers = nil
            try await Self.restart(device)
            #expect(try await device.text(of: id) == "the first text")
        }
    }

    @Test("is there again where it was kept under another name while it was saved, and removed")
    func keptAndRemoved() throws {
        try Stage.play { cloud, device in
            let id = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            device.network.isCut = true
            try await device.write("the second text", to: id)
            try await device.replica.synchronise()
            try await device.move(id, to: .root, as: "a~")
            _ = try await device.create("a", in: .root, "the third text")
            let kept = try #require(try device.nodes().first { $0.path == "a~" })
            try await device.remove(kept.node.id)
            try await device.replica.makeCommitsDurable()
            try device.crash(leaving: 5)
            try await Self.restart(device)
            #expect(
                cloud.tree() == ["a": "the second text", "a (damaged 2027-01-15)": "the t"])
        }
    }

    @Test("is safe once a program was told so, though as much of it was safe before")
    func provenAgain() throws {
        try Stage.play { cloud, device in
            let id = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            try await device.replica.synchronise()
            device.network.isCut = true
            let file = try await device.host.open(id, for: .writing, by: Self.editor)
            for text in ["another text", "a third text"] {
                try await file.resize(to: 0)
                try await device.host.setAttributes(of: id) { $0.tags = nil }
                try await file.write(Array(text.utf8), at: 0)
                try await device.host.setAttributes(of: id) { $0.tags = nil }
                try await file.synchronise()
            }
            try device.crash(leaving: 0)
            try await Self.restart(device)
            #expect(cloud.tree() == ["a": "a third text"])
        }
    }

    @Test("is safe once a program was told so, also while it is being sent")
    func provenWhileSent() throws {
        try Stage.play { cloud, device in
            let id = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            try await device.replica.synchronise()
            let file = try await device.host.open(id, for: .writing, by: Self.editor)
            // Behind a hole.
            try await file.write(Array("!".utf8), at: 1 << 20)
            device.network.isCut = true
            try await device.wait(milliseconds: 5500)
            try await file.synchronise()
            try device.crash(leaving: .max)
            try await Self.restart(device)
            #expect(Set(cloud.tree().keys) == ["a"])
            #expect(cloud.tree()["a"]?.utf8.count == 1 << 20 + 1)
        }
    }

    @Test("is not removed while nobody can look at what was begun in its place")
    func unseen() throws {
        try Stage.play { cloud, device in
            let id = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            device.network.isCut = true
            try await device.write("the second text", to: id)
            try await device.replica.synchronise()
            _ = try await Self.beginAnew(id, device, "anoth")
            try await device.replica.makeCommitsDurable()
            let number = try #require(try device.replica.read { try $0.node(id)?.file })
            let path = device.replica.contents.path(number)
            try device.crash(leaving: 5)
            // It leads to itself.
            let files = LinuxFileSystem()
            try files.rename(path, to: path + "-aside")
            try files.makeSymlink(to: path, at: path)
            try await device.start()
            try await device.wait(seconds: 60)
            await device.stop()
            try files.remove(path)
            try files.rename(path + "-aside", to: path)
            try await Self.restart(device)
            #expect(cloud.tree()["a"] == "the first text")
            #expect(cloud.tree().values.contains("the second text"))
            #expect(cloud.tree().values.contains("anoth"))
        }
    }
}
