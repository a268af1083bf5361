import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Testing

@Suite("What is here, when the provider's names mean nothing any more,")
struct ReimportStoryTests {
    @Test("is offered once more, and nothing exists twice", arguments: [false, true])
    func everything(isKilled: Bool) throws {
        try Stage.play { cloud, device in
            let folder = try await device.makeFolder("folder", in: .root)
            let whole = try await device.create("whole", in: folder, "is here")
            let away = try await device.create("away", in: folder, "is not here")
            _ = try await device.create("own.local", in: .root, "stays here")
            try await device.host.waitForRest()
            try await device.host.evict(away)
            let (tree, created) = (cloud.tree(), device.network.created)
            device.network.delay = .seconds(1)
            try await device.manager.reimportItems(below: .rootContainer)
            try await device.wait(seconds: 2)
            if isKilled {
                device.kill()
                try await device.start()
            }
            device.network.delay = .zero
            try await device.host.waitForRest()

            #expect(cloud.tree() == tree)
            #expect(try Set(device.nodes().map(\.path)) == Set(tree.keys).union(["own.local"]))
            #expect(try await device.text(of: whole) == "is here")
            #expect(try await device.text(of: away) == "is not here")
            #expect(try device.nodes().map(\.node.id).contains(whole))
            #expect(device.network.companion.imports.count == 1)
            #expect(device.network.companion.imports[0] >= created + 3)
        }
    }

    @Test("loses nothing that was changed on either side meanwhile")
    func changes() throws {
        try Stage.play { cloud, device in
            let folder = try await device.makeFolder("folder", in: .root)
            let file = try await device.create("a", in: folder, "the first text")
            _ = try await device.create("b", in: folder, "another text")
            let gone = try await device.create("c", in: folder, "is gone there")
            try await device.host.waitForRest()
            device.network.isCut = true
            try await device.write("is written here", to: file)
            cloud.rewrite("a", "is written there")
            cloud.remove("c")
            try await device.manager.reimportItems(below: device.identifier(of: folder))
            device.reconnect()
            try await device.host.waitForRest()

            let tree = cloud.tree()
            #expect(tree["folder/a"] == "is written there")
            #expect(tree["folder/b"] == "another text")
            // Nobody knows any more that it was deleted.
            #expect(tree["folder/c"] == "is gone there")
            #expect(tree.values.contains("is written here"))
            #expect(tree.count == 5)
            #expect(try device.nodes().count == 5)
            #expect(try await device.text(of: gone) == "is gone there")
        }
    }

    @Test("is all offered before the end is told, once, however often that was begun meanwhile")
    func overlapping() throws {
        try Stage.play { cloud, device in
            let folder = try await device.makeFolder("folder", in: .root)
            for number in 0..<5 {
                _ = try await device.create("\(number)", in: folder, "text \(number)")
            }
            try await device.host.waitForRest()
            let tree = cloud.tree()
            device.network.delay = .seconds(1)
            for place in [NSFileProviderItemIdentifier.rootContainer, .rootContainer] {
                try await device.manager.reimportItems(below: place)
                try await device.wait(seconds: 1)
            }
            #expect(device.network.companion.imports.isEmpty)
            device.network.delay = .zero
            try await device.wait(seconds: 120)
            try await device.host.waitForRest()
            #expect(device.network.companion.imports.count == 1)
            #expect(cloud.tree() == tree)
        }
    }

    @Test("comes for who reads it just then", arguments: [false, true])
    func read(inParts: Bool) throws {
        try Stage.play(inParts: inParts) { cloud, device in
            let text = "a text of which there is more than one part"
            let file = try await device.create("a", in: .root, text)
            try await device.host.waitForRest()
            try await device.host.evict(file)
            device.network.delay = .seconds(2)
            async let read = device.text(of: file)
            try await device.wait(seconds: 1)
            try await device.manager.reimportItems(below: .rootContainer)
            #expect(try await read == text)
        }
    }

    @Test("comes first for who reads it, with its folders, however much else is asked for")
    func hurried() throws {
        try Stage.play { _, device in
            for number in 0..<400 {
                _ = try await device.create("\(number)", in: .root, "text \(number)")
            }
            let outer = try await device.makeFolder("z", in: .root)
            let inner = try await device.makeFolder("z", in: outer)
            let file = try await device.create("z", in: inner, "what somebody reads")
            try await device.host.waitForRest()
            try await device.host.evict(.root)
            device.network.delay = .seconds(1)
            try await device.manager.reimportItems(below: .rootContainer)
            try await device.wait(seconds: 2)
            let asked = device.network.created
            #expect(try await device.text(of: file) == "what somebody reads")
            #expect(device.network.created - asked < 200)
            device.network.delay = .zero
            try await device.host.waitForRest()
        }
    }

    @Test("goes from here when it has no bytes, and the provider does not have it")
    func unknown() throws {
        try Stage.play { cloud, device in
            let file = try await device.create("a", in: .root, "text")
            try await device.host.waitForRest()
            try await device.host.evict(file)
            device.network.isCut = true
            cloud.remove("a")
            try await device.manager.reimportItems(below: .rootContainer)
            device.reconnect()
            try await device.host.waitForRest()
            #expect(cloud.tree().isEmpty)
            #expect(try device.nodes().isEmpty)
        }
    }

    @Test("is found in steps, and nothing is asked of the provider meanwhile, also after a crash")
    func steps() throws {
        try Stage.play { cloud, device in
            let folder = try await device.makeFolder("folder", in: .root)
            for index in 0..<9 {
                _ = try await device.create("file \(index)", in: folder, "text \(index)")
            }
            try await device.host.waitForRest()
            let (tree, paths) = (cloud.tree(), try device.nodes().map(\.path))
            let created = device.network.created
            try await device.replica.write { transaction in
                try transaction.beginReimport(below: .root)
                #expect(try transaction.continueReimport(limit: 4))
            }
            #expect(try device.replica.read { try $0.isUnsettled() })
            device.kill()
            // Half of it is still known by names that mean nothing.
            #expect(device.network.created == created)
            try await device.start()
            try await device.host.waitForRest()
            #expect(cloud.tree() == tree)
            #expect(try device.nodes().map(\.path) == paths)
            #expect(device.network.companion.imports == [created + 10])
        }
    }

    @Test("does not confuse a listing of everything that goes on", arguments: [1, 3, 5, 7])
    func listing(seconds: Int) throws {
        try Stage.play { cloud, device in
            for index in 0..<9 {
                _ = try await device.create("file \(index)", in: .root, "text \(index)")
            }
            try await device.host.waitForRest()
            let tree = cloud.tree()
            try device.loseDatabase()
            device.network.delay = .seconds(2)
            try await device.start()
            try await device.wait(seconds: seconds)
            try await device.manager.reimportItems(below: .rootContainer)
            try await device.host.waitForRest()
            #expect(cloud.tree() == tree)
            #expect(try Set(device.nodes().map(\.path)) == Set(tree.keys))
            #expect(try device.replica.read { try $0.stage() } == .following)
        }
    }

    @Test(
        "is offered also while it is being listed for the first time, and nothing is left out",
        arguments: [false, true])
    func duringTheFirstListing(isLazy: Bool) throws {
        try Stage.play(isLazy: isLazy) { cloud, device in
            for number in 0..<40 { cloud.add("told \(number)", "text \(number)") }
            device.network.delay = .seconds(1)
            async let listing: Void? = isLazy ? device.host.list(.root) : nil
            _ = try await device.create("mine", in: .root, "is written here")
            // Several pages have come, and several are to come.
            try await device.wait(seconds: 4)
            let known = try device.nodes().count
            #expect((2..<40).contains(known))
            try await device.manager.reimportItems(below: .rootContainer)
            try await device.wait(seconds: 30)
            device.network.delay = .zero
            _ = try await listing
            if isLazy { try await device.host.list(.root) }
            try await device.host.waitForRest()

            #expect(cloud.tree().count == 41)
            #expect(try Set(device.nodes().map(\.path)) == Set(cloud.tree().keys))
            #expect(try device.nodes().count == 41)
            cloud.rename("told 7", to: "told later")
            try await device.wait(seconds: 10)
            try await device.host.waitForRest()
            #expect(try device.nodes().map(\.path).contains("told later"))
        }
    }

    @Test("is offered also when somebody moves it while that is found out, and in the trash")
    func moved() throws {
        try Stage.play { cloud, device in
            let first = try await device.makeFolder("first", in: .root)
            let second = try await device.makeFolder("second", in: .root)
            let inner = try await device.makeFolder("inner", in: second)
            _ = try await device.create("thesis", in: inner, "years of work")
            let thrown = try await device.create("thrown", in: .root, "not quite gone")
            try await device.host.waitForRest()
            try await device.move(thrown, to: .trash, as: "thrown")
            try await device.host.waitForRest()
            let tree = cloud.tree()
            try await device.replica.write { transaction in
                try transaction.beginReimport(below: .root)
                // The root, the trash and the first folder have been gone through by then.
                #expect(try transaction.continueReimport(limit: 4))
                try transaction.move(inner, to: first, as: "inner")
            }
            for name in ["first", "second", "inner", "thesis", "thrown"] {
                cloud.remove(name)
            }
            try await device.wait(seconds: 60)
            try await device.host.waitForRest()
            #expect(cloud.tree().values.sorted() == tree.values.sorted())
            #expect(cloud.tree()["first/inner/thesis"] == "years of work")
        }
    }
}
