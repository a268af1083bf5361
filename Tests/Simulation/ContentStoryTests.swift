import BasketDatabase
import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Testing

@Suite("What is on a device")
struct ContentStoryTests {
    @Test("lets go of what the provider refuses, and keeps its bytes aside")
    func refusal() throws {
        try Stage.play { cloud, device in
            let known = try await device.create("known", in: .root, "is known")
            try await device.host.waitForRest()
            let folder = try await device.makeFolder("refused folder", in: .root)
            _ = try await device.create("a", in: folder, "is nowhere else")
            try await device.move(known, to: folder, as: "moved")
            try await device.host.waitForRest()

            #expect(try device.nodes().map(\.path) == ["known"])
            #expect(cloud.tree() == ["known": "is known"])
            let rescued = try device.replica.read { try $0.rescued(limit: 10) }
            #expect(rescued.map(\.path) == ["refused folder/a"])
            #expect(try await device.textsKeptHere() == ["is nowhere else"])
        }
    }

    @Test("keeps aside what the provider refuses, also when the database is lost")
    func refusalAndLoss() throws {
        try Stage.play { _, device in
            _ = try await device.create("refused", in: .root, "is nowhere else")
            try await device.host.waitForRest()
            try device.loseDatabase()
            try await device.start()
            try await device.host.waitForRest()
            #expect(try await device.textsKeptHere() == ["is nowhere else"])
        }
    }

    @Test("keeps aside what came from the provider, stayed here, and is not taken back")
    func refusalOfReturned() throws {
        try Stage.play { cloud, device in
            let file = try await device.create("a", in: .root, "was there once")
            let folder = try await device.makeFolder("own.local", in: .root)
            try await device.host.waitForRest()
            try await device.host.evict(file)
            try await device.move(file, to: folder, as: "a")
            try await device.wait(seconds: 60)
            #expect(cloud.tree().isEmpty)

            try await device.move(file, to: .root, as: "refused")
            try await device.wait(seconds: 60)
            #expect(try device.nodes().map(\.path) == ["own.local"])
            #expect(try await device.textsKeptHere() == ["was there once"])
        }
    }

    @Test(
        "keeps what was put aside for a month in which it runs, whatever its clock says",
        arguments: [31, -20_000])
    func wrongClock(daysAhead: Int) throws {
        try Stage.play { _, device in
            let day = 86_400
            try await device.host.waitForRest()
            device.setClock(ahead: .seconds(min(0, daysAhead) * day))
            _ = try await device.create("refused", in: .root, "only here")
            try await device.host.waitForRest()
            device.setClock(ahead: .seconds(max(0, daysAhead) * day))
            try await device.wait(seconds: 3600)
            device.setClock(ahead: .zero)
            #expect(try await device.textsKeptHere() == ["only here"])

            // A day on which it is off does not count, and those before are not forgotten.
            try await device.wait(seconds: 20 * day)
            await device.stop()
            try await device.wait(seconds: 20 * day)
            try await device.start()
            try await device.wait(seconds: 9 * day)
            #expect(try await device.textsKeptHere() == ["only here"])
            try await device.wait(seconds: 2 * day)
            #expect(try await device.textsKeptHere().isEmpty)
        }
    }

    @Test("keeps aside also what is being written in a folder that the provider refuses")
    func refusalOfWritten() throws {
        try Stage.play { cloud, device in
            let folder = try await device.makeFolder("refused folder", in: .root)
            let file = try await device.host.create(
                "a", in: folder, by: Program(name: "editor"))
            try await file.write(Array("is nowhere else".utf8), at: 0)
            try await device.wait(seconds: 3)
            #expect(try device.nodes().isEmpty)

            try await file.write(Array(", and more".utf8), at: 15)
            try await file.synchronise()
            #expect(try device.replica.read { try $0.rescued(limit: 1) }.first?.size == 25)
            try await file.close()
            try await device.host.waitForRest()
            try await device.wait(seconds: 60)
            #expect(cloud.tree().isEmpty)
            #expect(try await device.textsKeptHere() == ["is nowhere else, and more"])
        }
    }

    @Test("keeps the provider's bytes and what is left of its own when the power fails")
    func powerCut() throws {
        try Stage.play { cloud, device in
            let file = try await device.create("a.txt", in: .root, "the first text")
            try await device.host.waitForRest()
            try await device.replica.synchronise()
            device.network.isCut = true
            try await device.write("another text", to: file)
            try device.crash(leaving: 5)
            device.network.isCut = false
            try await device.start()
            try await device.host.waitForRest()

            let texts = cloud.tree()
            #expect(texts["a.txt"] == "the first text")
            #expect(texts["a (damaged 2027-01-15).txt"] == "anoth")
            #expect(texts.count == 2)
        }
    }

    @Test(
        "takes nothing for what was removed, when the power fails before it is known whether that was made",
        arguments: [false, true])
    func powerCutAfterRemoval(isMade: Bool) throws {
        try Stage.play(forgetsNames: true) { cloud, device in
            try await device.host.waitForRest()
            device.network.delay = .seconds(1)
            let file = try await device.create("a", in: .root, "a text")
            let end = isMade ? 1 : 0
            while cloud.tree().count < end { try await device.wait(milliseconds: 10) }
            if !isMade { device.network.isCut = true }
            try await device.wait(milliseconds: 100)
            try await device.remove(file)
            try device.crash(leaving: 3)
            device.network.isCut = false
            device.network.delay = .zero
            try await device.start()
            try await device.host.waitForRest()
            try await device.wait(seconds: 100)

            #expect(cloud.tree() == (isMade ? ["a": "a text"] : [:]))
            #expect(try device.nodes().count == (isMade ? 1 : 0))
            #expect(try device.replica.read { try $0.troubled(limit: 10) }.isEmpty)
        }
    }

    @Test(
        "has the bytes that only it had when all its databases are gone, with their names and what they were made of"
    )
    func lostDatabase() throws {
        try Stage.play { cloud, device in
            let folder = try await device.makeFolder("folder", in: .root)
            let known = try await device.create("known", in: folder, "the first text")
            let other = try await device.create("other", in: .root, "another text")
            let own = try await device.create("own.local", in: .root, "is only here")
            try await device.host.waitForRest()
            device.network.isCut = true
            try await device.write("the second text", to: known)
            try await device.write("what loses the race", to: other)
            let inner = try await device.makeFolder("new", in: folder)
            let saved = try await device.create("draft", in: inner, "a new text")
            try await device.move(saved, to: inner, as: "final")
            cloud.rewrite("other", "from elsewhere")
            #expect(try await device.text(of: own) == "is only here")
            try device.loseDatabase(isAll: true)
            device.network.isCut = false
            try await device.start()
            try await device.host.waitForRest()

            let tree = cloud.tree()
            #expect(tree["folder/known"] == "the second text")
            #expect(tree["folder/new/final"] == "a new text")
            #expect(tree["other"] == "from elsewhere")
            #expect(tree.values.contains("what loses the race"))
            #expect(tree.count == 6)
            #expect(try await device.textsKeptHere() == ["is only here"])
            #expect(cloud.versions(of: "known") == 2)
        }
    }

    @Test("comes back as that of its item, though this lies where nobody has looked by then")
    func lostDatabaseOfMovedItem() throws {
        try Stage.play(isLazy: true) { cloud, device in
            let folder = try await device.makeFolder("folder", in: .root)
            _ = try await device.makeFolder("other", in: .root)
            let file = try await device.create("a", in: folder, "the first text")
            try await device.host.waitForRest()
            let identifier = try device.identifier(of: file).rawValue
            device.network.isCut = true
            try await device.write("the second text", to: file)
            cloud.change { state in
                let other = state.items.values.first { $0.name == "other" }?.id
                state.items[identifier]?.parent = other ?? Cloud.root
                state.touch(identifier)
            }
            try device.loseDatabase(isAll: true)
            device.network.isCut = false
            try await device.start()
            try await device.host.waitForRest()

            #expect(
                cloud.tree() == ["folder": "/", "other": "/", "other/a": "the second text"])
            #expect(cloud.versions(of: "a") == 2)
        }
    }

    @Test(
        "is not brought back over what has come since, whenever the device died",
        arguments: [false, true])
    func staleNote(isNew: Bool) throws {
        for deaths in 1...12 {
            try Stage.play { cloud, device in
                var file: NodeID?
                if !isNew {
                    file = try await device.create("a", in: .root, "the first text")
                    try await device.host.waitForRest()
                }
                device.network.isCut = true
                if let file {
                    try await device.write("the second text", to: file)
                } else {
                    _ = try await device.create("a", in: .root, "the second text")
                }
                device.die(after: deaths)
                device.reconnect()
                try await device.wait(seconds: 100)
                device.kill()
                try await device.start()
                try await device.host.waitForRest()
                cloud.rewrite("a", "from elsewhere")
                try await device.host.waitForRest()

                try device.loseDatabase(isAll: true)
                try await device.start()
                try await device.host.waitForRest()
                #expect(cloud.tree() == ["a": "from elsewhere"], "after \(deaths)")
            }
        }
    }

    @Test("comes back, without its name, where nothing can be noted at files")
    func lostDatabaseWithoutNotes() throws {
        try Stage.play { cloud, device in
            device.disk.keepsNotes = false
            let known = try await device.create("known", in: .root, "the first text")
            try await device.host.waitForRest()
            device.network.isCut = true
            try await device.write("the second text", to: known)
            _ = try await device.create("new", in: .root, "a new text")
            try device.loseDatabase(isAll: true)
            device.network.isCut = false
            try await device.start()
            try await device.host.waitForRest()

            let tree = cloud.tree()
            #expect(tree["known"] == "the first text")
            #expect(Set(tree.values).isSuperset(of: ["the second text", "a new text"]))
            #expect(tree.keys.filter { $0 != "known" }.allSatisfy { $0.hasPrefix("recovered ") })
        }
    }

    @Test("is fetched again when its file has gone, and is said to be nowhere when nobody has it")
    func missingFile() throws {
        try Stage.play { cloud, device in
            let file = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            try Self.removeContent(of: file, device)
            #expect(try await device.text(of: file) == "the first text")
            #expect(try device.residence(of: file) == .whole)

            device.network.isCut = true
            try await device.write("the second text", to: file)
            try Self.removeContent(of: file, device)
            await #expect(throws: LocalError.stale) { try await device.text(of: file) }
            #expect(cloud.tree() == ["a": "the first text"])
            // It is still known that something was written to it.
            #expect(try device.nodes().first?.node.trees.local?.content.isEdit == true)
        }
    }

    private static func removeContent(of id: NodeID, _ device: Device) throws {
        let number = try #require(try device.replica.read { try $0.node(id)?.file })
        try device.disk.remove(device.replica.contents.path(number))
    }

    @Test("goes on with a long file where it was, also after a crash")
    func parts() throws {
        try Stage.play(inParts: true) { cloud, device in
            let text = String((0..<20).flatMap { "line \($0 + 100)\n" })
            let file = try await device.create("a", in: .root, text)
            try await device.host.waitForRest()
            try await device.host.evict(file)
            // The first bytes alone, and none twice.
            try await device.host.materialise(0..<10, of: file)
            #expect(try device.residence(of: file) == .partial)
            #expect(try device.replica.read { try $0.ranges(of: file) }.ranges == [0..<12])
            #expect(device.network.fetched == 12)
            try await device.host.materialise(3..<9, of: file)
            #expect(device.network.fetched == 12)

            device.network.delay = .seconds(10)
            _ = try await device.replica.write { try $0.update(file) { $0.isWanted = true } }
            try await device.wait(seconds: 70)
            let fetched = device.network.fetched
            #expect((13..<text.utf8.count).contains(fetched))
            device.kill()
            device.network.delay = .zero
            try await device.start()
            #expect(try await device.text(of: file) == text)
            // What was on its way when it was killed is fetched again.
            #expect(device.network.fetched <= text.utf8.count + 8)
        }
    }

    @Test(
        "tells whoever reads a part of what has changed that it has, and gives the new text next time"
    )
    func staleParts() throws {
        try Stage.play(inParts: true) { cloud, device in
            let file = try await device.create("a", in: .root, "the first text, which is long")
            try await device.host.waitForRest()
            try await device.host.evict(file)
            try await device.host.materialise(0..<4, of: file)
            device.network.delay = .seconds(10)
            cloud.rewrite("a", "the second text, which is long, too")
            let refusal = await #expect(throws: (any Error).self) {
                try await device.host.materialise(20..<24, of: file)
            }
            #expect(refusal as? LocalError == .stale)
            try await device.host.waitForRest()
            #expect(try await device.text(of: file) == "the second text, which is long, too")
        }
    }
}
