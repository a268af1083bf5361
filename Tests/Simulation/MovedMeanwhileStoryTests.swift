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
