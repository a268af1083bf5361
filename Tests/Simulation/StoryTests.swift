import BasketDatabase
import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Testing

@Suite("A device")
struct StoryTests {
    @Test("has all of it here before what is excluded goes from the provider")
    func exclusion() throws {
        try Stage.play { cloud, device in
            let folder = try await device.makeFolder("folder", in: .root)
            let file = try await device.create("a", in: folder, "text")
            try await device.host.waitForRest()
            try await device.host.evict(file)
            try await device.move(folder, to: .root, as: "folder.local")
            try await device.wait(seconds: 60)
            #expect(cloud.tree().isEmpty)
            #expect(try await device.text(of: file) == "text")
            #expect(try await device.replica.write { try $0.evict(file) } == .onlyHere)

            try await device.move(folder, to: .root, as: "folder")
            try await device.host.waitForRest()
            #expect(cloud.tree() == ["folder": "/", "folder/a": "text"])
        }
    }

    @Test("has here what is pinned, also what comes into it later, and does not let go of it")
    func pins() throws {
        try Stage.play { _, device in
            let folder = try await device.makeFolder("folder", in: .root)
            let inner = try await device.makeFolder("inner", in: folder)
            let first = try await device.create("first", in: inner, "the first text")
            let other = try await device.create("other", in: .root, "another text")
            try await device.host.waitForRest()
            try await device.host.evict(.root)
            #expect(try device.residence(of: first) == .dataless)

            try await device.move(folder, to: .root, as: "pinned")
            try await device.wait(seconds: 60)
            #expect(try device.residence(of: first) == .whole)
            #expect(try device.residence(of: other) == .dataless)

            try await device.move(other, to: inner, as: "other")
            try await device.wait(seconds: 60)
            #expect(try device.residence(of: other) == .whole)
            let refusal = await #expect(throws: (any Error).self) {
                try await device.host.evict(folder)
            }
            #expect(refusal.map { NSFileProviderError.nonEvictableChildren ~= $0 } == true)

            try await device.move(folder, to: .root, as: "folder")
            try await device.host.waitForRest()
            try await device.host.evict(folder)
            #expect(try device.residence(of: first) == .dataless)
        }
    }

    @Test("waits for what was changed in a folder, and for nothing else")
    func barrier() throws {
        try Stage.play { cloud, device in
            let folder = try await device.makeFolder("folder", in: .root)
            let known = try await device.create("known", in: folder, "a text")
            try await device.host.waitForRest()
            device.network.isCut = true
            _ = try await device.create("new", in: folder, "another text")
            try await device.remove(known)
            #expect(try device.replica.read { try $0.changesHere(below: folder) }.count == 2)
            #expect(try device.replica.read { try $0.changesHere(below: .trash) }.isEmpty)
            try await device.wait(seconds: 30)
            device.reconnect()
            try await device.host.waitForChanges(below: folder)
            #expect(cloud.tree() == ["folder": "/", "folder/new": "another text"])
        }
    }

    @Test("waits for what was changed in a folder until then, and not for what comes after that")
    func laterChanges() throws {
        try Stage.play { cloud, device in
            let folder = try await device.makeFolder("folder", in: .root)
            try await device.host.waitForRest()
            device.network.delay = .seconds(30)
            _ = try await device.create("first", in: folder, "a text")
            async let over: Void = device.host.waitForChanges(below: folder)
            try await device.wait(seconds: 20)
            let second = try await device.create("second", in: folder, "another text")
            try await over
            #expect(cloud.tree()["folder/first"] == "a text")
            #expect(try device.replica.read { try $0.changesHere(below: folder) } == [second])
            try await device.host.waitForRest()
        }
    }

    @Test("waits for what was written in a folder when it is saved over another file meanwhile")
    func heir() throws {
        try Stage.play { cloud, device in
            let folder = try await device.makeFolder("folder", in: .root)
            let letter = try await device.create("letter", in: folder, "a text")
            try await device.host.waitForRest()
            device.network.delay = .seconds(30)
            let later = try await device.makeFolder("later", in: .root)
            let draft = try await device.create("draft", in: later, "another text")
            try await device.wait(seconds: 2)
            async let over: Void = device.host.waitForChanges(below: .root)
            try await device.wait(seconds: 2)
            // Its folder is there long before it.
            device.network.delay = .seconds(120)
            let heir = try await device.move(draft, to: folder, as: "letter")
            #expect(heir == letter)
            try await over
            #expect(try device.replica.read { try $0.changesHere(below: .root) }.isEmpty)
            #expect(cloud.tree()["folder/letter"] == "another text")
            try await device.host.waitForRest()
        }
    }

    @Test("waits for one change among many others without looking through all of them each time")
    func costOfBarrier() throws {
        try Stage.play { _, device in
            let folder = try await device.makeFolder("folder", in: .root)
            let other = try await device.makeFolder("other", in: .root)
            try await device.host.waitForRest()
            device.network.isCut = true
            _ = try await device.create("new", in: folder, "a text")
            try await device.replica.write { transaction in
                for number in 0..<3000 {
                    _ = try transaction.make("\(number)", in: other, kind: .folder)
                }
            }
            async let over: Void = device.host.waitForChanges(below: folder)
            try await device.wait(seconds: 60)
            let start = ContinuousClock.now
            for _ in 0..<600 {
                device.replica.changes.poke()
                try await device.wait(milliseconds: 10)
            }
            let took = ContinuousClock.now - start
            #expect(took < .seconds(5), "\(took)")
            device.reconnect()
            try await over
        }
    }

    @Test(
        "follows folders that were turned inside out, where a new one takes the name of the outermost"
    )
    func turned() throws {
        try Stage.play { cloud, device in
            let outer = try await device.makeFolder("outer", in: .root)
            let middle = try await device.makeFolder("middle", in: outer)
            _ = try await device.makeFolder("inner", in: middle)
            try await device.host.waitForRest()
            cloud.change { state in
                let new = state.newID()
                func move(_ name: String, into parent: String?) {
                    for var record in Array(state.items.values) where record.name == name {
                        record.parent = parent ?? record.parent
                        record.metadataVersion += 1
                        state.items[record.id] = record
                        state.touch(record.id)
                    }
                }
                let inner = state.items.values.first { $0.name == "inner" }
                move("outer", into: inner?.id)
                move("middle", into: new)
                state.items[new] = Cloud.Record(
                    id: new, parent: Cloud.root, name: "outer", isFolder: true)
                state.touch(new)
            }
            device.host.signal()
            try await device.wait(seconds: 60)
            #expect(try device.host.isAtRest())
            let paths = [
                "outer", "outer/middle", "outer/middle/inner", "outer/middle/inner/outer",
            ]
            #expect(cloud.tree().keys.sorted() == paths)
            #expect(try device.nodes().map(\.path) == paths)
        }
    }

    @Test("sends many small files at once, and large ones a few at a time")
    func together() throws {
        try Stage.play { cloud, device in
            device.network.delay = .seconds(10)
            let large = String(repeating: "x", count: 70_000)
            for number in 0..<20 { _ = try await device.create("l\(number)", in: .root, large) }
            for number in 0..<100 { _ = try await device.create("s\(number)", in: .root, "") }
            // There and back.
            try await device.wait(seconds: 25)
            let names = cloud.tree().keys
            #expect(names.count { $0.hasPrefix("s") } == 100)
            #expect((1..<20).contains(names.count { $0.hasPrefix("l") }))
            try await device.host.waitForRest()
            #expect(cloud.tree().count == 120)
        }
    }

    @Test(
        "sends a file as it was handed over, whatever is done with it meanwhile",
        arguments: ["a", "b"])
    func snapshot(finalName: String) throws {
        try Stage.play { cloud, device in
            let file = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            device.network.delay = .seconds(60)
            try await device.write("the second text", to: file)
            try await device.wait(seconds: 5)
            try await device.write("the third text", to: file)
            try await device.wait(seconds: 30)
            #expect(cloud.tree() == ["a": "the first text"])
            try await device.wait(seconds: 30)
            #expect(cloud.tree() == ["a": "the second text"])
            cloud.rename("a", to: finalName)
            device.network.delay = .zero
            try await device.host.waitForRest()
            #expect(cloud.tree() == [finalName: "the third text"])
        }
    }

    @Test(
        "has at the provider what stayed here for a moment, though its deletion had been asked for",
        arguments: [false, true])
    func briefExclusion(isKilled: Bool) throws {
        try Stage.play { cloud, device in
            let file = try await device.create("a", in: .root, "text")
            try await device.host.waitForRest()
            device.network.delay = .seconds(10)
            try await device.move(file, to: .root, as: "a.local")
            while !cloud.tree().isEmpty { try await device.wait(seconds: 1) }
            // It is gone there, and nobody here knows.
            if isKilled {
                device.kill()
                try await device.start()
            }
            try await device.move(file, to: .root, as: "a")
            try await device.host.waitForRest()
            #expect(cloud.tree() == ["a": "text"])
        }
    }

    @Test("deletes at the provider what was removed here while that refused its name")
    func removedWhileRefused() throws {
        try Stage.play { cloud, device in
            let file = try await device.create("a", in: .root, "text")
            try await device.host.waitForRest()
            device.network.delay = .seconds(10)
            try await device.move(file, to: .root, as: "a.local")
            try await device.wait(seconds: 5)
            try await device.remove(file)
            try await device.host.waitForRest()
            #expect(cloud.tree().isEmpty)
            #expect(try device.nodes().isEmpty)
        }
    }

    @Test("goes on with everything else when a row of its replica makes no sense")
    func brokenRow() throws {
        try Stage.play { cloud, device in
            let broken = try await device.create("broken", in: .root, "text")
            try await device.host.waitForRest()
            try await device.replica.write { transaction in
                try transaction.db.run("UPDATE node SET kind = 9 WHERE id = ?", broken)
                try transaction.touch(broken)
            }
            _ = try await device.create("other", in: .root, "another text")
            try await device.wait(seconds: 10)
            #expect(cloud.tree() == ["broken": "text", "other": "another text"])
            let trouble = try device.replica.read { try $0.trouble(of: broken) }
            #expect(trouble?.message.contains("is of no kind") == true)
        }
    }

    @Test("goes by the rules that it knows while a list of them cannot be read")
    func unreadableList() throws {
        try Stage.play { cloud, device in
            let list = try await device.create(".basketignore", in: .root, "*.log\n")
            try await device.host.waitForRest()
            try await device.write("*.txt\n", to: list)
            let file = try device.replica.read { try $0.node(list)?.file }
            try device.replica.contents.remove(#require(file))
            _ = try await device.create("a.log", in: .root, "log")
            _ = try await device.create("a.txt", in: .root, "text")
            try await device.wait(seconds: 10)
            #expect(cloud.tree() == [".basketignore": "*.log\n", "a.txt": "text"])
        }
    }

    @Test("goes by the rules before, until the new list of them is here")
    func newList() throws {
        try Stage.play { cloud, device in
            let list = try await device.create(".basketignore", in: .root, "*.log\n")
            _ = try await device.create("a.log", in: .root, "log")
            try await device.host.waitForRest()
            await #expect(throws: (any Error).self) { try await device.host.evict(list) }
            let created = device.network.created
            device.network.delay = .seconds(5)
            cloud.rewrite(".basketignore", "*.log\n*.tmp\n")
            try await device.wait(seconds: 8)
            _ = try await device.create("b.log", in: .root, "log")
            try await device.host.waitForRest()
            _ = try await device.create("c.tmp", in: .root, "nothing")
            try await device.host.waitForRest()

            #expect(device.network.created == created)
            #expect(cloud.tree() == [".basketignore": "*.log\n*.tmp\n"])
        }
    }

    @Test("keeps the name of a file that is deleted and made again", arguments: [false, true])
    func madeAgain(isRefused: Bool) throws {
        try Stage.play { cloud, device in
            for round in 0..<10 {
                let old = try device.replica.read { try $0.child("a", of: .root) }
                if isRefused { device.network.refusal = .cannotSynchronize }
                if let old { try await device.remove(old.id) }
                _ = try await device.create("a", in: .root, "text \(round)")
                if isRefused { try await device.wait(seconds: 5) }
                device.network.refusal = nil
                try await device.manager.signalErrorResolved(
                    NSFileProviderError(.cannotSynchronize))
                try await device.host.waitForRest()
                #expect(cloud.tree() == ["a": "text \(round)"])
            }
        }
    }

    @Test("sends what the provider left for later once it has changed again, and not before")
    func pending() throws {
        try Stage.play { cloud, device in
            let id = try await device.create("a", in: .root, "a text")
            try await device.host.waitForRest()
            device.network.keepsPending = true
            try await device.write("another text", to: id)
            try await device.tag(id, 1)
            try await device.host.waitForRest()
            let count = device.network.modified.count
            device.network.keepsPending = false
            try await device.wait(seconds: 2000)
            #expect(device.network.modified.count == count)
            #expect(cloud.tree() == ["a": "a text"])
            // What is said of it goes alone, and leaves the bytes as they are.
            try await device.tag(id, 5)
            try await device.host.waitForRest()
            #expect(cloud.tags(of: "a") == [5])
            #expect(cloud.tree() == ["a": "a text"])
            #expect(try await device.text(of: id) == "another text")
            try await device.write("the last text", to: id)
            try await device.host.waitForRest()
            #expect(cloud.tree() == ["a": "the last text"])
            try await device.tag(id, 2)
            try await device.host.waitForRest()
            #expect(cloud.tags(of: "a") == [2])
        }
    }

    @Test(
        "loses nothing that the provider left for later, whatever others do",
        arguments: [false, true])
    func pendingAndChanged(isDeleted: Bool) throws {
        try Stage.play { cloud, device in
            let id = try await device.create("a", in: .root, "a text")
            try await device.host.waitForRest()
            device.network.keepsPending = true
            try await device.write("another text", to: id)
            try await device.host.waitForRest()
            device.network.keepsPending = false
            if isDeleted { cloud.remove("a") } else { cloud.rewrite("a", "their text") }
            try await device.wait(seconds: 30)
            try await device.host.waitForRest()

            let texts = Set(cloud.tree().values)
            #expect(texts == (isDeleted ? ["another text"] : ["another text", "their text"]))
        }
    }
}
