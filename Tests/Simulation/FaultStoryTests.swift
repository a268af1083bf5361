import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Foundation
import Synchronization
import Testing

@Suite("What an extension has wrong, or cannot do,")
struct FaultStoryTests {
    @Test("of one item keeps nobody from the others")
    func item() throws {
        try Stage.play { cloud, device in
            cloud.add("overlong 1", "text")
            cloud.add("a", "one")
            try await device.host.waitForRest()
            #expect(try device.nodes().map(\.path) == ["a"])
            cloud.add("overlong 2", "text")
            cloud.add("b", "two")
            try await device.host.waitForRest()
            #expect(try Set(device.nodes().map(\.path)) == ["a", "b"])

            // Told anew, and as it should be.
            cloud.rename("overlong 1", to: "c")
            try await device.host.waitForRest()
            #expect(try Set(device.nodes().map(\.path)) == ["a", "b", "c"])
        }
    }

    @Test("of one folder keeps nobody from the others, when all of them are listed anew")
    func folder() throws {
        try Stage.play(isLazy: true) { cloud, device in
            cloud.add("first", nil)
            cloud.add("second", nil)
            try await device.host.list(.root)
            for name in ["first", "second"] {
                let folder = try device.replica.read { try $0.child(name, of: .root)?.id }
                let id = try device.identifier(of: #require(folder)).rawValue
                cloud.add("in \(name)", "text", in: id)
                try await device.host.list(#require(folder))
            }
            cloud.rename("first", to: "unlistable")
            try await device.host.waitForRest()
            device.network.isCut = true
            let first = try device.replica.read { try $0.child("unlistable", of: .root)?.id }
            cloud.add("new", "text", in: try device.identifier(of: #require(first)).rawValue)
            let second = try device.replica.read { try $0.child("second", of: .root)?.id }
            let id = try device.identifier(of: #require(second)).rawValue
            cloud.add("new", "text", in: id)
            try await device.replica.write { try $0.beginAnew() }
            device.reconnect()
            try await device.wait(seconds: 60)

            let paths = try Set(device.nodes().map(\.path))
            #expect(
                paths == [
                    "unlistable", "unlistable/in first", "second", "second/in second", "second/new",
                ])
            cloud.add("later", "text")
            try await device.host.waitForRest()
            #expect(try device.nodes().map(\.path).contains("later"))

            // What came meanwhile into the one that could not be listed is there for who looks into it.
            let folder = try #require(first)
            cloud.rename("unlistable", to: "listable")
            try await device.host.waitForRest()
            try await device.host.list(folder)
            #expect(try device.nodes().map(\.path).contains("listable/new"))
        }
    }

    @Test("of one folder is looked at again, less and less, until it can be listed")
    func folderLater() throws {
        try Stage.play(isLazy: true) { cloud, device in
            cloud.add("folder", nil)
            try await device.host.list(.root)
            let folder = try #require(try device.replica.read { try $0.child("folder", of: .root) })
            try await device.host.list(folder.id)
            cloud.rename("folder", to: "unlistable")
            try await device.host.waitForRest()
            let parent = try device.identifier(of: folder.id).rawValue
            cloud.add("new", "text", in: parent)
            let made = try #require(cloud.paths()["unlistable/new"])
            cloud.forgetChange(of: made.id)
            try await device.replica.write { try $0.beginAnew() }
            device.host.signal()
            try await device.wait(seconds: 3600)
            #expect(try device.nodes().map(\.path) == ["unlistable"])
            let before = device.network.companion.askedUnder.count
            try await device.wait(seconds: 3600)
            let asked = device.network.companion.askedUnder.count - before
            #expect((8...40).contains(asked), "\(asked)")

            cloud.rename("unlistable", to: "listable")
            try await device.wait(seconds: 600)
            #expect(try device.nodes().map(\.path).contains("listable/new"))
        }
    }

    @Test("of one item is asked for again until somebody knows, when everything is told anew")
    func itemLater() throws {
        try Stage.play(isLazy: true) { cloud, device in
            for name in ["a", "b"] { cloud.add(name, "text") }
            try await device.host.list(.root)
            let gone = try #require(cloud.paths()["a"])
            device.network.companion.unspoken = [gone.id: CocoaError(.fileReadUnknown)]
            cloud.remove("a")
            cloud.forgetChange(of: gone.id)
            try await device.replica.write { try $0.beginAnew() }
            device.host.signal()
            try await device.wait(seconds: 60)
            #expect(try Set(device.nodes().map(\.path)) == ["a", "b"])
            // Everything else is told.
            cloud.add("c", "text")
            try await device.wait(seconds: 5)
            #expect(try Set(device.nodes().map(\.path)) == ["a", "b", "c"])

            device.kill()
            try await device.start()
            device.network.companion.unspoken = [:]
            try await device.wait(seconds: 600)
            #expect(try Set(device.nodes().map(\.path)) == ["b", "c"])
        }
    }

    @Test("whatever it says of one item, keeps nobody from the others that are asked for again")
    func itemBefore() throws {
        try Stage.play(isLazy: true) { cloud, device in
            // More than are asked for at once.
            let names = ["a"] + (0..<40).map { "b\($0)" }
            for name in names { cloud.add(name, "text") }
            try await device.host.list(.root)
            let gone = try names.map { try #require(cloud.paths()[$0]).id }
            for id in gone { device.network.companion.unspoken[id] = CocoaError(.fileReadUnknown) }
            for name in names { cloud.remove(name) }
            for id in gone { cloud.forgetChange(of: id) }
            try await device.replica.write { try $0.beginAnew() }
            device.host.signal()
            try await device.wait(seconds: 60)
            #expect(try Set(device.nodes().map(\.path)) == Set(names))

            device.network.companion.unspoken = [
                gone[0]: NSFileProviderError(.cannotSynchronize)
            ]
            try await device.wait(seconds: 600)
            #expect(try device.nodes().map(\.path) == ["a"])
            try await device.host.waitForStabilisation()
        }
    }

    @Test("of what is looked at again takes nothing away where it is said only once")
    func falseWord() throws {
        try Stage.play(isLazy: true) { cloud, device in
            cloud.add("a", "text")
            try await device.host.list(.root)
            let file = try #require(try device.replica.read { try $0.child("a", of: .root) })
            let companion = device.network.companion
            companion.unspoken = [
                try device.identifier(of: file.id).rawValue: NSFileProviderError(.noSuchItem)
            ]
            try await device.replica.write {
                try $0.noteOwed(OwedLook(node: file.id, isListing: false))
            }
            device.kill()
            try await device.start()
            while companion.unansweredQuestions == 0 { try await device.wait(milliseconds: 100) }
            companion.unspoken = [:]
            try await device.wait(seconds: 60)
            #expect(companion.unansweredQuestions == 1)
            #expect(try device.nodes().map(\.path) == ["a"])
            #expect(try device.replica.read { try $0.owed(limit: 1) }.isEmpty)
        }
    }

    @Test("with a folder that it refuses does not keep an import from its end")
    func refusedFolder() throws {
        try Stage.play { cloud, device in
            let folder = try await device.makeFolder("impossible", in: .root)
            _ = try await device.create("a", in: folder, "stays here")
            _ = try await device.create("b", in: .root, "goes there")
            try await device.wait(seconds: 10)
            try await device.manager.reimportItems(below: .rootContainer)
            try await device.wait(seconds: 10)
            #expect(device.network.companion.imports.count == 1)

            cloud.add("c", "comes from there")
            try await device.wait(seconds: 10)
            #expect(cloud.tree() == ["b": "goes there", "c": "comes from there"])
            #expect(
                try Set(device.nodes().map(\.path)) == ["impossible", "impossible/a", "b", "c"])
        }
    }

    @Test("about a conflict is settled here: both are kept", arguments: [false, true])
    func conflict(isStrict: Bool) throws {
        try Stage.play { cloud, device in
            let name = isStrict ? "strict.txt" : "a.txt"
            let file = try await device.create(name, in: .root, "the first text")
            try await device.host.waitForRest()
            device.network.isCut = true
            try await device.write("is written here", to: file)
            cloud.rewrite(name, "is written there")
            if !isStrict {
                try await device.manager.requestModification(
                    of: .contents, forItemWithIdentifier: device.identifier(of: file),
                    options: .failOnConflict)
            }
            device.reconnect()
            try await device.host.waitForRest()

            let tree = cloud.tree()
            #expect(tree.count == 2)
            #expect(tree[name] == "is written there")
            let copy = try #require(tree.keys.first { $0 != name })
            if isStrict {
                #expect(copy.hasPrefix("strict (conflict from machine 20"))
                #expect(copy.hasSuffix(").txt"))
            }
            #expect(tree[copy] == "is written here")
            #expect(try await device.text(of: file) == "is written there")
            #expect(try Set(device.nodes().map(\.path)) == Set(tree.keys))
        }
    }

    @Test("does not take bytes from here that its own storage has not got yet")
    func uploading() throws {
        try Stage.play { cloud, device in
            let file = try await device.create("uploading", in: .root, "text")
            try await device.host.waitForRest()
            let refusal = await #expect(throws: NSFileProviderError.self) {
                try await device.host.evict(file)
            }
            #expect(refusal?.code == .unsyncedEdits)
            cloud.rename("uploading", to: "uploaded")
            try await device.host.waitForRest()
            try await device.host.evict(file)
            #expect(try await device.text(of: file) == "text")
        }
    }

    @Test("is not the outermost folder: what it says of that counts for all below")
    func outermost() throws {
        try Stage.play { cloud, device in
            cloud.nameTop("pinned")
            cloud.add("a", "text")
            try await device.replica.write { try $0.beginAnew() }
            device.host.signal()
            try await device.host.waitForRest()
            let node = try device.replica.read { try $0.child("a", of: .root) }
            #expect(node?.residence == .whole)
        }
    }

    @Test(
        "that has it fail again and again ends a wait for both sides, however often others ask for news"
    )
    func signalledFailures() throws {
        try Stage.play { _, device in
            try await device.host.waitForRest()
            device.network.isCut = true
            let isOver = Mutex(false)
            async let over: Void = {
                await #expect(throws: (any Error).self) {
                    try await device.host.waitForStabilisation()
                }
                isOver.withLock { $0 = true }
            }()
            for _ in 0..<600 {
                try await device.wait(seconds: 1)
                device.host.signal()
            }
            #expect(isOver.withLock { $0 })
            await over
        }
    }
}
