import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Testing

@Suite("An answer that takes its time")
struct LateAnswerStoryTests {
    private static let pause = Duration.seconds(60)

    @Test("is not believed where somebody has taken back meanwhile what it tells")
    func takenBack() throws {
        try Stage.play { cloud, device in
            let file = try await device.create("a", in: .root, "text")
            try await device.host.waitForRest()
            device.network.companion.pauseBeforeAnswers = Self.pause
            try await device.move(file, to: .root, as: "b")
            try await device.wait(seconds: 20)
            #expect(cloud.tree() == ["b": "text"])
            cloud.rename("b", to: "a")
            try await device.wait(seconds: 20)
            device.network.companion.pauseBeforeAnswers = nil
            try await device.wait(seconds: 60)
            try await device.host.waitForRest()

            #expect(device.network.modified == [.filename])
            #expect(cloud.tree() == ["a": "text"])
            #expect(try device.nodes().map(\.path) == ["a"])
        }
    }

    @Test("brings nothing back that went before everything was told anew")
    func goneBeforeAnew() throws {
        try Stage.play { cloud, device in
            try await device.host.waitForRest()
            device.network.delay = .seconds(1)
            device.network.companion.pauseBeforeAnswers = Self.pause
            _ = try await device.create("a", in: .root, "text")
            while cloud.tree().isEmpty { try await device.wait(milliseconds: 10) }
            // Nobody is told that it was there.
            let made = try #require(cloud.paths()["a"])
            cloud.remove("a")
            cloud.forgetChange(of: made.id)
            try await device.wait(seconds: 10)
            device.network.forgetOnce()
            cloud.add("b", "text")
            try await device.wait(seconds: 20)
            #expect(try Set(device.nodes().map(\.path)) == ["a", "b"])
            try await device.wait(seconds: 60)
            try await device.host.waitForRest()

            #expect(cloud.tree() == ["b": "text"])
            #expect(try device.nodes().map(\.path) == ["b"])
        }
    }

    @Test("to a creation takes over what was written to what was told of it meanwhile")
    func written() throws {
        try Stage.play { cloud, device in
            try await device.host.waitForRest()
            let companion = device.network.companion
            companion.pauseBeforeAnswers = Self.pause
            let file = try await device.create("a", in: .root, "text")
            while cloud.tree().isEmpty { try await device.wait(milliseconds: 10) }
            companion.pauseBeforeAnswers = nil
            try await device.move(file, to: .root, as: "b")
            try await device.wait(seconds: 20)
            let other = try #require(try device.nodes().first { $0.node.id != file }).node.id
            #expect(try await device.text(of: other) == "text")
            companion.pauseBeforeAnswers = Self.pause
            try await device.write("newer text", to: other)
            try await device.wait(seconds: 20)
            companion.pauseBeforeAnswers = nil
            try await device.wait(seconds: 120)
            try await device.host.waitForRest()

            #expect(cloud.tree() == ["b": "newer text"])
            #expect(try device.nodes().map(\.path) == ["b"])
            #expect(try await device.text(of: file) == "newer text")
        }
    }

    @Test("to a creation leaves its date as exact as it is here, though it was told of before")
    func date() throws {
        try Stage.play(keepsDetails: true) { cloud, device in
            try await device.host.waitForRest()
            let companion = device.network.companion
            companion.pauseBeforeAnswers = Self.pause
            let file = try await device.create("a", in: .root, "text")
            let date = Timestamp(nanoseconds: 1_000_123_456_789)
            try await device.host.setAttributes(of: file) { $0.modified = date }
            while cloud.tree().isEmpty { try await device.wait(milliseconds: 10) }
            try await device.wait(seconds: 20)
            companion.pauseBeforeAnswers = nil
            try await device.wait(seconds: 60)
            try await device.host.waitForRest()

            let node = try #require(try device.nodes().first).node
            #expect(node.id == file)
            #expect(node.trees.local?.attributes.modified == date)
            #expect(node.trees.remote?.attributes.modified == date)
        }
    }

    @Test(
        "with bytes that somebody has written over, as was told meanwhile, is not what a reader gets"
    )
    func lateBytes() throws {
        try Stage.play { cloud, device in
            cloud.add("a", "an old text")
            try await device.host.waitForRest()
            let file = try #require(try device.nodes().first).node.id
            device.network.companion.pauseBeforeAnswers = .seconds(20)
            async let text = device.text(of: file)
            try await device.wait(seconds: 5)
            device.network.companion.pauseBeforeAnswers = nil
            cloud.rewrite("a", "a new text")
            #expect(try await text == "a new text")
        }
    }

    @Test(
        "to a change removes nothing that has to appear anew as its folder was found to be another one"
    )
    func appearsAnew() throws {
        try Stage.play { cloud, device in
            try await device.host.waitForRest()
            let companion = device.network.companion
            companion.pauseBeforeAnswers = Self.pause
            let folder = try await device.makeFolder("folder", in: .root)
            while cloud.tree().isEmpty { try await device.wait(milliseconds: 10) }
            companion.pauseBeforeAnswers = nil
            cloud.add("a", "text", in: try #require(cloud.paths()["folder"]).id)
            try await device.move(folder, to: .root, as: "another")
            try await device.makeFolder("b", in: folder)
            try await device.wait(seconds: 20)
            let twin = try #require(try device.nodes().first { $0.node.kind == .file }).node
            companion.pauseBeforeAnswers = Self.pause
            try await device.move(twin.id, to: #require(twin.trees.local).parent, as: "b")
            try await device.wait(seconds: 120)
            companion.pauseBeforeAnswers = nil
            try await device.wait(seconds: 60)
            try await device.host.waitForRest()

            #expect(cloud.tree().values.contains("text"))
            #expect(cloud.tree().count == 3)
            #expect(try device.nodes().count == 3)
        }
    }

    @Test("is of something that is there, also where its folder cannot be offered once more yet")
    func beforeReimport() throws {
        try Stage.play(isLazy: true) { cloud, device in
            try await device.host.list(.root)
            let folder = try await device.makeFolder("folder", in: .root)
            try await device.host.waitForRest()
            let companion = device.network.companion
            companion.pauseBeforeAnswers = Self.pause
            let file = try await device.create("a", in: folder, "text")
            while cloud.paths()["folder/a"] == nil { try await device.wait(milliseconds: 10) }
            companion.pauseBeforeAnswers = nil
            companion.creationAnswer = .failure(NSFileProviderError(.cannotSynchronize))
            // As if the answer had come already, and were about to be taken in.
            try await device.replica.write { transaction in
                try transaction.beginReimport(below: .root)
                while try transaction.continueReimport(limit: 100) {}
            }
            device.host.signal()
            try await device.wait(seconds: 100)
            #expect(try device.nodes().map(\.node.id).contains(file))
            #expect(try await device.text(of: file) == "text")
            companion.creationAnswer = nil
            try await device.wait(seconds: 100)
            try await device.host.waitForRest()

            #expect(cloud.tree() == ["folder": "/", "folder/a": "text"])
            #expect(try device.nodes().map(\.path) == ["folder", "folder/a"])
            #expect(try await device.text(of: file) == "text")
        }
    }

    /// As `mknod` makes it, and `ftruncate` after that.
    @Test(
        "to who has made it without bytes is no conflict for who has opened it before that",
        arguments: [0, 5, 500, 20_000], [false, true])
    func madeWithoutBytes(milliseconds: Int, isEmptied: Bool) throws {
        try ServerStage.play { stage in
            let device = try await stage.device("laptop")
            try await device.host.waitForRest()
            let id = try await device.host.make("file", in: .root, kind: .file)
            let file = try await device.open(id, for: .writing)
            try await device.wait(milliseconds: milliseconds)
            if isEmptied { try await file.resize(to: 0) }
            try await file.write(Array("text".utf8), at: 0)
            try await file.close()
            try await device.wait(seconds: 60)
            try await device.host.waitForRest()
            #expect(try stage.storage.tree(for: "laptop") == ["file": "text"])
            #expect(try device.nodes().map(\.path) == ["file"])
        }
    }
}
