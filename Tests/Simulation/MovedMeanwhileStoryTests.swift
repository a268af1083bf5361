import FileProvider
import FileProviderHost
import FileProviderReplica
import Testing

@Suite("What is somewhere else by the time that an answer comes")
struct MovedMeanwhileStoryTests {
    private static func answerLate(
        _ device: Device, _ ask: () async throws -> Void, then move: () async throws -> Void
    ) async throws {
        device.network.companion.pauseBeforeAnswers = .seconds(60)
        try await ask()
        try await device.wait(seconds: 20)
        try await move()
        try await device.wait(seconds: 20)
        device.network.companion.pauseBeforeAnswers = nil
        try await device.wait(seconds: 60)
        try await device.host.waitForRest()
    }

    @Test("is not refused for a name that it has no more", arguments: [false, true])
    func refused(isFolder: Bool) throws {
        try Stage.play { cloud, device in
            try await device.host.waitForRest()
            var id = NodeID.root
            try await Self.answerLate(device) {
                if isFolder {
                    id = try await device.makeFolder("refused", in: .root)
                } else {
                    id = try await device.create("refused", in: .root, "text")
                }
            } then: {
                try await device.move(id, to: .root, as: "kept")
            }
            #expect(cloud.tree() == ["kept": isFolder ? "/" : "text"])
            #expect(try device.nodes().map(\.path) == ["kept"])
        }
    }

    @Test(
        "goes from the provider where it was made, and nobody has heard of that, when it stays here",
        arguments: [false, true])
    func excluded(isFolder: Bool) throws {
        try Stage.play { cloud, device in
            let own = try await device.makeFolder("own.local", in: .root)
            let folder = try await device.makeFolder("folder", in: .root)
            try await device.host.waitForRest()
            device.network.companion.pauseBeforeAnswers = .seconds(60)
            let id =
                isFolder
                ? try await device.makeFolder("a", in: folder)
                : try await device.create("a", in: folder, "text")
            try await device.wait(seconds: 20)
            device.kill()
            #expect(cloud.tree().keys.contains("folder/a"))
            device.network.companion.pauseBeforeAnswers = nil
            device.network.isCut = true
            try await device.start()
            try await device.move(id, to: own, as: "b")
            device.reconnect()
            // What is in it is looked for first.
            try await device.wait(seconds: 60)
            try await device.host.waitForRest()
            #expect(cloud.tree() == ["folder": "/"])
            #expect(
                try device.nodes().map(\.path).sorted() == ["folder", "own.local", "own.local/b"])
        }
    }

    @Test(
        "is not taken for what others have made alike, when it stays here",
        arguments: ["text", "", "/", "/ and what is in it"])
    func twin(_ content: String) throws {
        try ServerStage.play { stage in
            let (device, other) = (try await stage.device("here"), try await stage.device("there"))
            let own = try await device.makeFolder(".Trash-1000", in: .root)
            let folder = try await device.makeFolder("folder", in: .root)
            try await device.host.waitForRest()
            try await other.host.waitForRest()
            let theirs = try #require(try other.nodes().first { $0.path == "folder" }).node.id
            device.network.isCut = true
            let isFolder = content.hasPrefix("/")
            let id =
                isFolder
                ? try await device.makeFolder("a", in: folder)
                : try await device.create("a", in: folder, content)
            try await device.wait(seconds: 20)
            if isFolder {
                let twin = try await other.makeFolder("a", in: theirs)
                if content != "/" { _ = try await other.create("b", in: twin, "theirs") }
            } else {
                _ = try await other.create("a", in: theirs, content)
            }
            try await other.host.waitForRest()
            try await device.move(id, to: own, as: "a")
            try await device.wait(seconds: 20)
            device.network.isCut = false
            device.reconnect()
            for one in [device, other, device, other] {
                try await one.host.waitForRest()
                try await one.wait(seconds: 120)
            }
            var paths = ["folder", "folder/a"]
            if content.count > 4 { paths.append("folder/a/b") }
            #expect(try other.nodes().map(\.path).sorted() == paths)
            #expect(
                try device.nodes().map(\.path).sorted() == [".Trash-1000", ".Trash-1000/a"] + paths)
        }
    }

    @Test("is sent to nobody, written to since, when it stays here")
    func writtenSince() throws {
        try Stage.play { cloud, device in
            let own = try await device.makeFolder("own.local", in: .root)
            let folder = try await device.makeFolder("folder", in: .root)
            try await device.host.waitForRest()
            device.network.isCut = true
            let id = try await device.create("a", in: folder, "text")
            try await device.wait(seconds: 20)
            try await device.move(id, to: own, as: "a")
            try await device.write("private", to: id)
            device.network.isCut = false
            device.reconnect()
            try await device.host.waitForRest()
            try await device.wait(seconds: 120)
            #expect(!cloud.wasMade(of: "private"))
            #expect(cloud.tree() == ["folder": "/"])
            #expect(
                try device.nodes().map(\.path).sorted() == ["folder", "own.local", "own.local/a"])
        }
    }

    @Test("gets no other name where its own is free")
    func collided() throws {
        try Stage.play { cloud, device in
            let first = try await device.makeFolder("first", in: .root)
            let second = try await device.makeFolder("second", in: .root)
            try await device.host.waitForRest()
            let folder = try device.identifier(of: first).rawValue
            var id = NodeID.root
            try await Self.answerLate(device) {
                cloud.add("text", "theirs", in: folder)
                id = try await device.create("text", in: first, "ours")
            } then: {
                try await device.move(id, to: second, as: "text")
            }
            #expect(
                cloud.tree() == [
                    "first": "/", "first/text": "theirs", "second": "/", "second/text": "ours",
                ])
        }
    }

    @Test("and was removed in a folder that stays here, is others' where they have changed it")
    func removedInExcluded() throws {
        try Stage.play { cloud, device in
            let folder = try await device.makeFolder("own.local", in: .root)
            let id = try await device.create("a", in: .root, "text")
            try await device.host.waitForRest()
            device.network.isCut = true
            try await device.move(id, to: folder, as: "a")
            try await device.wait(seconds: 10)
            try await device.remove(id)
            cloud.rewrite("a", "newer")
            device.network.isCut = false
            device.reconnect()
            try await device.host.waitForRest()
            try await device.wait(seconds: 60)
            #expect(cloud.tree() == ["a": "newer"])
            #expect(try device.nodes().map(\.path).sorted() == ["a", "own.local"])
        }
    }
}
