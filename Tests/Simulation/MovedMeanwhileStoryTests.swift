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

    @Test(
        "goes with its folder, removed while nobody has heard whether it was made",
        arguments: [false, true], [2, 5, 10, 20, 50])
    func removedWithFolder(isFolder: Bool, after milliseconds: Int) throws {
        try ServerStage.play { stage in
            let device = try await stage.device("here")
            let folder = try await device.makeFolder("folder", in: .root)
            try await device.host.waitForRest()
            let id =
                isFolder
                ? try await device.makeFolder("a", in: folder)
                : try await device.create("a", in: folder, "text")
            try await device.wait(milliseconds: milliseconds)
            try await device.remove(id)
            try await device.remove(folder)
            try await device.wait(seconds: 120)
            try await device.host.waitForRest()
            let other = try await stage.device("there")
            try await other.host.waitForRest()
            #expect(try device.nodes().map(\.path).isEmpty)
            #expect(try other.nodes().map(\.path).isEmpty)
        }
    }

    @Test(
        "does not come back, removed where it stays here before anybody has heard whether it was made",
        arguments: [false, true])
    func removedWhereItStays(isFolder: Bool) throws {
        try ServerStage.play { stage in
            let device = try await stage.device("here")
            let own = try await device.makeFolder(".Trash-1000", in: .root)
            let folder = try await device.makeFolder("folder", in: .root)
            try await device.host.waitForRest()
            let id =
                isFolder
                ? try await device.makeFolder("a", in: folder)
                : try await device.create("a", in: folder, "text")
            try await device.wait(milliseconds: 10)
            device.kill()
            device.network.isCut = true
            try await device.start()
            try await device.move(id, to: own, as: "b")
            try await device.remove(id)
            device.network.isCut = false
            device.reconnect()
            try await device.wait(seconds: 120)
            try await device.host.waitForRest()
            let other = try await stage.device("there")
            try await other.host.waitForRest()
            #expect(try device.nodes().map(\.path).sorted() == [".Trash-1000", "folder"])
            #expect(try other.nodes().map(\.path) == ["folder"])
        }
    }

    @Test(
        "does not take along what others have made alike, removed before anybody has answered",
        arguments: ["text", "", "/"])
    func twinOfRemoved(_ content: String) throws {
        try ServerStage.play { stage in
            let (device, other) = (try await stage.device("here"), try await stage.device("there"))
            let folder = try await device.makeFolder("folder", in: .root)
            try await device.host.waitForRest()
            try await other.host.waitForRest()
            let theirs = try #require(try other.nodes().first { $0.path == "folder" }).node.id
            device.network.isCut = true
            let id =
                content == "/"
                ? try await device.makeFolder("a", in: folder)
                : try await device.create("a", in: folder, content)
            try await device.wait(seconds: 20)
            if content == "/" {
                _ = try await other.makeFolder("a", in: theirs)
            } else {
                _ = try await other.create("a", in: theirs, content)
            }
            try await other.host.waitForRest()
            try await device.remove(id)
            device.network.isCut = false
            device.reconnect()
            for one in [device, other, device, other] {
                try await one.host.waitForRest()
                try await one.wait(seconds: 120)
            }
            #expect(try other.nodes().map(\.path).sorted() == ["folder", "folder/a"])
            #expect(try device.nodes().map(\.path).sorted() == ["folder", "folder/a"])
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

    @Test(
        "is not taken for what others have made alike, when it goes into a new folder",
        arguments: ["text", "", "/"], [false, true])
    func twinElsewhere(_ content: String, isRenamed: Bool) throws {
        try ServerStage.play(habits: .third) { stage in
            let (device, other) = (try await stage.device("here"), try await stage.device("there"))
            try await device.host.waitForRest()
            try await other.host.waitForRest()
            device.network.isCut = true
            func make(_ device: Device) async throws -> NodeID {
                content == "/"
                    ? try await device.makeFolder("same", in: .root)
                    : try await device.create("same", in: .root, content)
            }
            let own = try await make(device)
            try await device.wait(seconds: 2)
            let theirs = try await make(other)
            if content == "/" { _ = try await other.create("kept", in: theirs, "kept") }
            try await other.host.waitForRest()
            let folder = isRenamed ? .root : try await device.makeFolder("new", in: .root)
            try await device.move(own, to: folder, as: "own")
            device.reconnect()
            try await device.wait(seconds: 60)
            try await device.host.waitForRest()
            try await other.host.waitForRest()
            var wanted = ["same", isRenamed ? "own" : "new/own"]
            if content == "/" { wanted.append("same/kept") }
            if !isRenamed { wanted.append("new") }
            for one in [device, other] {
                #expect(try Set(one.nodes().map(\.path)) == Set(wanted), "\(one.name)")
            }
        }
    }

    @Test(
        "by others, into what they have made in a folder that is removed here, comes back with that"
    )
    func movedOn() throws {
        try ServerStage.play(habits: .third) { stage in
            let device = try await stage.device("laptop")
            let folder = try await device.makeFolder("folder", in: .root)
            let moved = try await device.makeFolder("moved", in: .root)
            try await device.host.waitForRest()
            let other = try await stage.device("other")
            device.network.delay = .seconds(1)
            try await device.move(moved, to: folder, as: "moved")
            while try stage.storage.tree(for: "laptop")["folder/moved"] == nil {
                try await device.wait(milliseconds: 50)
            }
            device.kill()
            device.network.isCut = true
            device.network.delay = .zero
            try await device.start()
            try await other.host.waitForRest()
            let there = try Dictionary(
                uniqueKeysWithValues: other.nodes().map { ($0.path, $0.node.id) })
            let new = try await other.makeFolder("new", in: try #require(there["folder"]))
            let id = try #require(there["folder/moved"])
            try await other.move(id, to: new, as: "moved")
            try await other.host.waitForRest()
            try await device.move(moved, to: .root, as: "moved")
            try await device.remove(folder)
            try await device.wait(seconds: 2)
            device.reconnect()
            try await device.wait(seconds: 60)
            for one in [device, other] {
                try await one.host.waitForRest()
                let paths = try one.nodes().map(\.path).sorted()
                #expect(paths == ["folder", "folder/new", "folder/new/moved"])
            }
        }
    }
}
