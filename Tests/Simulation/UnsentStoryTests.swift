import BasketSupport
import FileProvider
import FileProviderHost
import Testing

@testable import FileProviderReplica

@Suite("What was not sent yet, on a device whose database is gone,")
struct UnsentStoryTests {
    @Test(
        "is there at once, and is sent: what was made, renamed, moved, tagged and removed",
        arguments: [false, true])
    func everything(isLazy: Bool) throws {
        try Stage.play(isLazy: isLazy) { cloud, device in
            let folder = try await device.makeFolder("folder", in: .root)
            let old = try await device.create("old name", in: folder, "is renamed")
            let moved = try await device.create("moved", in: folder, "is moved")
            let tagged = try await device.create("tagged", in: folder, "is tagged")
            let gone = try await device.create("gone", in: folder, "is removed")
            let goneFolder = try await device.makeFolder("gone folder", in: .root)
            try await device.host.waitForRest()
            // Nothing is written down any more.
            try await device.wait(seconds: 60)
            device.network.isCut = true
            let new = try await device.makeFolder("new folder", in: .root)
            try await device.makeFolder("empty folder", in: new)
            try await device.makeLink("link", in: new, to: "somewhere")
            _ = try await device.host.make("empty", in: new, kind: .file)
            _ = try await device.create("text", in: new, "a new text")
            try await device.move(old, to: folder, as: "new name")
            try await device.move(moved, to: new, as: "moved")
            try await device.tag(tagged, 7)
            try await device.remove(gone)
            try await device.remove(goneFolder)
            let unsent = try device.unsent()
            #expect(unsent.count == 10)
            try device.loseDatabase()
            try await device.start()
            #expect(try device.losses(of: unsent) == [])
            #expect(try device.nodes().map(\.path) == Self.pathsHere)
            let text = try #require(try device.nodes().first { $0.path == "new folder/text" })
            #expect(try await device.text(of: text.node.id) == "a new text")

            device.reconnect()
            try await device.host.waitForRest()
            let there = [
                "folder": "/", "folder/new name": "is renamed", "folder/tagged": "is tagged",
                "new folder": "/", "new folder/empty folder": "/",
                "new folder/link": "→ somewhere", "new folder/empty": "",
                "new folder/text": "a new text", "new folder/moved": "is moved",
            ]
            #expect(cloud.tree() == there)
            #expect(cloud.tags(of: "tagged") == [7])
            #expect(cloud.versions(of: "new name") == 1)
            #expect(try device.nodes().map(\.path).sorted() == there.keys.sorted())
        }
    }

    private static let pathsHere = [
        "folder", "folder/new name", "folder/tagged", "new folder", "new folder/empty",
        "new folder/empty folder", "new folder/link", "new folder/moved", "new folder/text",
    ]

    @Test("gives way to what others have done since then as if nothing had been lost")
    func others() throws {
        try Stage.play { cloud, device in
            let both = try await device.create("both", in: .root, "the first text")
            let kept = try await device.create("kept", in: .root, "the first text")
            let gone = try await device.create("gone", in: .root, "is removed there")
            let renamed = try await device.create("renamed", in: .root, "the first text")
            try await device.host.waitForRest()
            device.network.isCut = true
            try await device.write("what loses the race", to: both)
            try await device.remove(kept)
            try await device.write("what somebody worked on", to: gone)
            try await device.move(renamed, to: .root, as: "another name")
            try device.loseDatabase()
            cloud.rewrite("both", "from elsewhere")
            cloud.rewrite("kept", "is needed there")
            cloud.remove("gone")
            cloud.rewrite("renamed", "from elsewhere, too")
            try await device.start()
            device.reconnect()
            try await device.host.waitForRest()

            #expect(
                cloud.tree() == [
                    "both": "from elsewhere", "both (conflict)": "what loses the race",
                    "kept": "is needed there", "gone": "what somebody worked on",
                    "another name": "from elsewhere, too",
                ])
        }
    }

    @Test("is made in its folder, also where that has gone meanwhile")
    func missingFolder() throws {
        try Stage.play { cloud, device in
            let outer = try await device.makeFolder("outer", in: .root)
            let inner = try await device.makeFolder("inner", in: outer)
            try await device.host.waitForRest()
            try await device.wait(seconds: 60)
            device.network.isCut = true
            try await device.makeFolder("new", in: inner)
            try device.loseDatabase()
            cloud.remove("inner")
            cloud.remove("outer")
            cloud.add("elsewhere", nil)
            try await device.start()
            device.reconnect()
            try await device.host.waitForRest()

            #expect(
                cloud.tree() == [
                    "elsewhere": "/", "outer": "/", "outer/inner": "/", "outer/inner/new": "/",
                ])
        }
    }

    @Test("stays where it was to stay")
    func excluded() throws {
        try Stage.play { cloud, device in
            let folder = try await device.makeFolder("folder.local", in: .root)
            try await device.makeFolder("empty", in: folder)
            try await device.makeLink("link", in: folder, to: "somewhere")
            _ = try await device.host.make("empty~", in: .root, kind: .file)
            try await device.host.waitForRest()
            let unsent = try device.unsent()
            #expect(unsent.count == 4)
            try device.loseDatabase()
            try await device.start()
            try await device.host.waitForRest()

            #expect(try device.losses(of: unsent) == [])
            #expect(cloud.tree().isEmpty)
        }
    }

    @Test("is there once, though the provider has made it and its answer never came")
    func unanswered() throws {
        try Stage.play { cloud, device in
            try await device.host.waitForRest()
            device.network.delay = .seconds(10)
            try await device.makeFolder("folder", in: .root)
            let file = try await device.create("file", in: .root, "a text")
            try await device.wait(seconds: 15)
            #expect(cloud.tree().count == 2)
            // Its name there tells nothing any more.
            cloud.rename("folder", to: "another folder")
            try await device.write("another text", to: file)
            try device.loseDatabase()
            device.network.delay = .zero
            try await device.start()
            try await device.host.waitForRest()

            #expect(cloud.tree() == ["file": "another text", "another folder": "/"])
        }
    }

    @Test("is offered still, where it was being offered once more")
    func offered() throws {
        try Stage.play { cloud, device in
            let folder = try await device.makeFolder("folder", in: .root)
            _ = try await device.create("file", in: folder, "a text")
            try await device.host.waitForRest()
            device.network.isCut = true
            try await device.manager.reimportItems(below: .rootContainer)
            try await device.wait(seconds: 5)
            #expect(try device.unsent().count == 2)
            try device.loseDatabase()
            try await device.start()
            device.reconnect()
            try await device.host.waitForRest()

            #expect(cloud.tree() == ["folder": "/", "folder/file": "a text"])
        }
    }

    @Test("does not make an empty folder of one of which nothing else is known yet")
    func unlisted() throws {
        try Stage.play { cloud, device in
            let folder = try await device.makeFolder("folder", in: .root)
            let file = try await device.create("file", in: folder, "is moved")
            _ = try await device.create("other", in: folder, "stays")
            try await device.host.waitForRest()
            device.network.isCut = true
            try await device.move(file, to: .root, as: "file")
            try device.loseDatabase()
            try await device.start()
            #expect(try device.nodes().map(\.path) == ["file", "folder"])
            await #expect(throws: (any Error).self) { try await device.remove(folder) }
            device.reconnect()
            try await device.host.waitForRest()

            #expect(cloud.tree() == ["file": "is moved", "folder": "/", "folder/other": "stays"])
        }
    }

    @Test("is held back where it is many removals at once")
    func removals() throws {
        try Stage.play { cloud, device in
            for number in 0..<30 {
                try await device.makeFolder("folder \(number)", in: .root)
            }
            try await device.host.waitForRest()
            device.network.isCut = true
            for (_, node) in try device.nodes() { try await device.remove(node.id) }
            try device.loseDatabase()
            try await device.start()
            device.reconnect()
            try await device.wait(seconds: 100)
            #expect(cloud.tree().count == 30)
            #expect(try device.replica.read { try $0.heldRemovals() } == 30)

            try await device.replica.write { try $0.confirmRemovals() }
            try await device.host.waitForRest()
            #expect(cloud.tree().isEmpty)
            #expect(try device.nodes().isEmpty)
        }
    }

    @Test("is what a program was writing, as far as it came")
    func writing() throws {
        try Stage.play { cloud, device in
            let known = try await device.create("known", in: .root, "the first text")
            try await device.host.waitForRest()
            let file = try await device.open(known, for: .writing)
            try await file.write(Array(" and more".utf8), at: 14)
            let other = try await device.host.create(
                "new", in: .root, by: Program(name: "editor"))
            try await other.write(Array("a new text".utf8), at: 0)
            device.network.isCut = true
            try device.loseDatabase()
            try await device.start()
            #expect(try await device.text(of: known) == "the first text and more")
            #expect(try await device.text(of: other.node) == "a new text")
            device.reconnect()
            try await device.host.waitForRest()

            #expect(cloud.tree() == ["known": "the first text and more", "new": "a new text"])
            #expect(cloud.versions(of: "known") == 2)
        }
    }

    @Test("is not taken for something empty where its bytes have gone as well")
    func missingBytes() throws {
        try Stage.play { cloud, device in
            let known = try await device.create("known", in: .root, "the first text")
            try await device.host.waitForRest()
            device.network.isCut = true
            try await device.write("the second text", to: known)
            let new = try await device.create("new", in: .root, "a new text")
            for id in [known, new] {
                let file = try #require(try device.replica.read { try $0.node(id)?.file })
                try device.disk.remove(device.replica.contents.path(file))
            }
            try device.loseDatabase()
            try await device.start()
            device.reconnect()
            try await device.host.waitForRest()

            #expect(try device.nodes().map(\.path) == ["known"])
            #expect(try await device.text(of: known) == "the first text")
            #expect(cloud.tree() == ["known": "the first text"])
            #expect(cloud.versions(of: "known") == 1)
        }
    }

    @Test("is mended like any other where the power was cut as well")
    func powerCut() throws {
        try Stage.play { cloud, device in
            let known = try await device.create("known", in: .root, "the first text")
            try await device.host.waitForRest()
            try await device.replica.synchronise()
            device.network.isCut = true
            try await device.write("the second text", to: known)
            _ = try await device.create("new", in: .root, "a new text")
            try device.crash(leaving: 5)
            try device.loseDatabase()
            try await device.start()
            device.reconnect()
            try await device.host.waitForRest()

            #expect(
                cloud.tree() == [
                    "known": "the first text", "known (damaged 2027-01-15)": "the s",
                    "new": "a new",
                ])
        }
    }

    @Test("keeps nobody from a database that is there, and is written down again when it can be")
    func unopenable() throws {
        try Stage.play { cloud, device in
            let known = try await device.create("known", in: .root, "a text")
            try await device.host.waitForRest()
            await device.stop()
            let journal = device.folder + "/contents/unsent.db"
            let files = LinuxFileSystem()
            for ending in ["", "-wal", "-shm"] where files.exists(journal + ending) {
                try files.remove(journal + ending)
            }
            try files.makeFolder(journal)
            try await device.start()
            device.network.isCut = true
            try await device.write("another text", to: known)
            try await device.makeFolder("folder", in: .root)
            #expect(try await device.text(of: known) == "another text")
            try files.removeFolder(journal)
            try await device.wait(seconds: 3600)

            try device.loseDatabase()
            try await device.start()
            device.reconnect()
            try await device.host.waitForRest()

            #expect(cloud.tree() == ["known": "another text", "folder": "/"])
        }
    }

    @Test("comes back as often as the database goes")
    func again() throws {
        try Stage.play { cloud, device in
            device.network.isCut = true
            let folder = try await device.makeFolder("folder", in: .root)
            for _ in 0..<3 {
                try device.loseDatabase()
                try await device.start()
            }
            try await device.makeFolder("new", in: folder)
            try device.loseDatabase()
            try await device.start()
            device.reconnect()
            try await device.host.waitForRest()

            #expect(cloud.tree() == ["folder": "/", "folder/new": "/"])
        }
    }

    @Test("is nothing of what is in agreement, and nothing when all is")
    func nothing() throws {
        try Stage.play { cloud, device in
            let folder = try await device.makeFolder("folder", in: .root)
            _ = try await device.create("file", in: folder, "a text")
            cloud.add("theirs", "a text")
            try await device.wait(seconds: 100)
            try await device.host.waitForRest()

            #expect(try device.unsent().isEmpty)
            #expect(try device.replica.journal.rows(after: .trash, limit: 1) == nil)
        }
    }
}
