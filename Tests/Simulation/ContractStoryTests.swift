import FileProvider
import FileProviderHost
import FileProviderReplica
import Foundation
import Testing

@Suite("An extension may rely on it that")
struct ContractStoryTests {
    @Test("what is no file is deleted over the version that it said last, of its content as well")
    func containersVersions() throws {
        try Stage.play { cloud, device in
            cloud.add("folder", nil)
            try await device.makeLink("link", in: .root, to: "there")
            try await device.host.waitForRest()
            for name in ["folder", "link"] { cloud.rewrite(name, "") }
            try await device.host.waitForRest()
            _ = try await device.browse(withTrash: false)
            for node in try device.nodes() { try await device.remove(node.node.id) }
            try await device.host.waitForRest()

            #expect(cloud.tree().isEmpty)
            #expect(try device.nodes().isEmpty)
        }
    }

    @Test("the system's sets begin with the pages with which everything begins")
    func firstPages() throws {
        try Stage.play { _, device in
            _ = try await device.create("a", in: .root, "text")
            try await device.host.waitForRest()
            let set = device.system.enumeratorForMaterializedItems(
                in: NSFileProviderDomainIdentifier("Work"))
            for page in [
                NSFileProviderPage.initialPageSortedByName,
                NSFileProviderPage.initialPageSortedByDate,
            ] {
                let first = NSFileProviderPage(Data(referencing: page))
                let names = try SetListener.names(of: set, from: first)
                #expect(names.contains("a"))
            }
        }
    }

    @Test("the end of an import need not be answered for everything else to go on")
    func unansweredImport() throws {
        try Machine.play { machine in
            let source = "\(machine.folder)/tree"
            try machine.put("text", at: source + "/a")
            machine.network("work").companion.holdsImport = true
            try await machine.registry.importDomain(
                DomainRecord(identifier: .init("work"), displayName: "Work"), from: source)
            try await machine.executor.sleep(.seconds(120))
            machine.cloud("work").add("b", "another text")
            try await machine.executor.sleep(.seconds(120))
            #expect(try Set(machine.paths()) == ["a", "b"])
            #expect(machine.network("work").companion.imports == [1])
        }
    }

    @Test("what was changed here is sent at once, however long what was there before had to wait")
    func changedInTrouble() throws {
        try Stage.play { cloud, device in
            try await device.host.waitForRest()
            device.network.companion.creationAnswer = .failure(CocoaError(.fileWriteUnknown))
            let file = try await device.create("a", in: .root, "text")
            try await device.wait(seconds: 3600)
            device.network.companion.creationAnswer = nil
            try await device.write("another text", to: file)
            try await device.wait(seconds: 10)
            #expect(cloud.tree() == ["a": "another text"])
        }
    }

    @Test("who waits for a change is not told what was wrong before it")
    func staleTrouble() throws {
        try Stage.play { cloud, device in
            try await device.host.waitForRest()
            device.network.companion.creationAnswer = .failure(
                NSFileProviderError(.insufficientQuota))
            let file = try await device.create("a", in: .root, "too long a text")
            try await device.wait(seconds: 10)
            device.network.companion.creationAnswer = nil
            try await device.write("text", to: file)
            try await device.manager.waitForChanges(below: .rootContainer)
            #expect(cloud.tree() == ["a": "text"])
        }
    }

    @Test("what it leaves for later is asked for again, though its item says it already")
    func pendingAndSaid() throws {
        try Stage.play { cloud, device in
            try await device.host.waitForRest()
            let companion = device.network.companion
            device.network.isCut = true
            let file = try await device.create("a", in: .root, "text")
            try await device.tag(file, 7)
            companion.unstored = .tagData
            companion.saysUnstored = true
            device.reconnect()
            try await device.host.waitForRest()
            #expect(device.network.modified == [.tagData])
            #expect(cloud.tags(of: "a") == [7])

            device.network.isCut = true
            try await device.tag(file, 8)
            try await device.move(file, to: .root, as: "b")
            companion.unstoredOfChange = .tagData
            device.reconnect()
            while cloud.tree()["b"] == nil { try await device.wait(milliseconds: 1) }
            companion.unstoredOfChange = []
            try await device.host.waitForRest()
            #expect(device.network.modified.suffix(2) == [[.filename, .tagData], .tagData])
            #expect(cloud.tags(of: "b") == [8])
        }
    }

    @Test("what it never takes is asked for twice, and no more")
    func neverTaken() throws {
        try Stage.play { _, device in
            try await device.host.waitForRest()
            device.network.companion.unstoredOfChange = .tagData
            device.network.companion.saysUnstored = true
            let file = try await device.create("a", in: .root, "text")
            try await device.host.waitForRest()
            device.network.isCut = true
            try await device.tag(file, 8)
            try await device.move(file, to: .root, as: "b")
            device.reconnect()
            try await device.wait(seconds: 3600)
            #expect(device.network.modified.suffix(2) == [[.filename, .tagData], .tagData])
            #expect(device.network.modified.count < 5)
        }
    }

    @Test("what it leaves for later though nobody has sent it is not asked for without an end")
    func pendingBesides() throws {
        try Stage.play { _, device in
            let file = try await device.create("a", in: .root, "text")
            try await device.host.waitForRest()
            device.network.companion.alwaysPending = [.tagData, .lastUsedDate]
            device.network.companion.unstoredOfChange = .tagData
            device.network.companion.saysUnstored = true
            try await device.manager.requestModification(
                of: .tagData, forItemWithIdentifier: device.identifier(of: file))
            try await device.wait(seconds: 60)
            try await device.tag(file, 8)
            try await device.wait(seconds: 3600)
            #expect((1...4).contains(device.network.modified.count))
        }
    }

    @Test("another name for the same content is taken for that, and nothing is fetched")
    func renamedContent() throws {
        try Stage.play { cloud, device in
            let file = try await device.create("a", in: .root, "text")
            try await device.host.waitForRest()
            device.network.companion.renamesContents = true
            try await device.move(file, to: .root, as: "b")
            try await device.host.waitForRest()
            #expect(device.network.fetches.isEmpty)
            #expect(try device.residence(of: file) == .whole)

            try await device.write("another text", to: file)
            try await device.host.waitForRest()
            #expect(cloud.tree() == ["b": "another text"])
            #expect(device.network.fetches.isEmpty)
        }
    }

    @Test("a content that it wants to be fetched is, also where its name is the same")
    func fetchedAnew() throws {
        try Stage.play { _, device in
            let file = try await device.create("a", in: .root, "text")
            try await device.host.waitForRest()
            device.network.companion.wantsFetch = true
            try await device.move(file, to: .root, as: "b")
            try await device.host.waitForRest()
            // Nothing is to be sent any more; what is wanted here comes after that.
            try await device.wait(seconds: 1)
            #expect(device.network.fetches.count == 1)
            #expect(try await device.text(of: file) == "text")
        }
    }

    @Test("it is told when it gives another item's content, and is not asked without a pause")
    func fetchedAnother() throws {
        try Stage.play { cloud, device in
            cloud.add("a", "text")
            try await device.host.waitForRest()
            let file = try #require(try device.nodes().first).node.id
            device.network.companion.fetchedItem = "another"
            await #expect(throws: HostError.self) { try await device.text(of: file) }
            #expect(device.network.fetches.count == 1)
            device.network.companion.fetchedItem = nil
            #expect(try await device.text(of: file) == "text")
        }
    }
}
