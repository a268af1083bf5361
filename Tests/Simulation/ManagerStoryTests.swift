import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Foundation
import Testing

@Suite("A domain's manager")
struct ManagerStoryTests {
    private static let unknown = NSFileProviderItemIdentifier("nobody")

    static func code(_ error: (any Error)?) -> NSFileProviderError.Code? {
        error.flatMap { NSFileProviderError(bridging: $0)?.code }
    }

    // MARK: Requests

    @Test("has fields sent that nobody has changed, once, also after a restart")
    func requestedFields() throws {
        try Stage.play { cloud, device in
            let file = try await device.create("a", in: .root, "text")
            try await device.host.waitForRest()
            let identifier = try device.identifier(of: file)
            let before = device.network.modified
            device.network.isCut = true
            try await device.manager.requestModification(
                of: [.filename, .tagData], forItemWithIdentifier: identifier)
            device.kill()
            try await device.start()
            device.reconnect()
            try await device.host.waitForRest()
            #expect(device.network.modified.dropFirst(before.count).last == [.filename, .tagData])
            let count = device.network.modified.count
            try await device.tag(file, 3)
            try await device.host.waitForRest()
            #expect(device.network.modified.dropFirst(count) == [.tagData])
            #expect(cloud.tree() == ["a": "text"])
        }
    }

    @Test("has contents sent again only where they are here")
    func requestedContents() throws {
        try Stage.play { cloud, device in
            let folder = try await device.makeFolder("folder", in: .root)
            let here = try await device.create("here", in: .root, "the first text")
            let away = try await device.create("away", in: .root, "another text")
            try await device.host.waitForRest()
            try await device.host.evict(away)
            for id in [folder, away] {
                let identifier = try device.identifier(of: id)
                let error = await #expect(throws: (any Error).self) {
                    try await device.manager.requestModification(
                        of: .contents, forItemWithIdentifier: identifier)
                }
                #expect((error as? CocoaError)?.code == .ubiquitousFileUnavailable)
            }
            let identifier = try device.identifier(of: here)
            try await device.manager.requestModification(
                of: .contents, forItemWithIdentifier: identifier)
            try await device.host.waitForRest()
            #expect(device.network.modified.last == .contents)

            // What takes the bytes away before they are sent takes the request with it.
            device.network.isCut = true
            try await device.manager.requestModification(
                of: .contents, forItemWithIdentifier: identifier)
            cloud.rewrite("here", "the second text")
            try await device.wait(seconds: 2)
            device.reconnect()
            try await device.host.waitForRest()
            #expect(cloud.tree()["here"] == "the second text")
            #expect(cloud.tree().count == 3)
            #expect(try await device.text(of: here) == "the second text")
            let error = await #expect(throws: (any Error).self) {
                try await device.manager.requestModification(
                    of: .filename, forItemWithIdentifier: Self.unknown)
            }
            #expect(Self.code(error) == .noSuchItem)
        }
    }

    @Test("keeps here what the provider asks for, only to exclude it")
    func exclusionByRequest() throws {
        try Stage.play { cloud, device in
            let file = try await device.create("a", in: .root, "text")
            try await device.host.waitForRest()
            cloud.rename("a", to: "a.local")
            try await device.host.waitForRest()
            #expect(cloud.tree() == ["a.local": "text"])
            try await device.manager.requestModification(
                of: .filename, forItemWithIdentifier: device.identifier(of: file))
            try await device.wait(seconds: 60)
            #expect(cloud.tree().isEmpty)
            #expect(try device.nodes().map(\.path) == ["a.local"])
            #expect(try device.host.isAtRest())
        }
    }

    @Test("has items here that are asked for, as soon as there is time")
    func download() throws {
        try Stage.play { _, device in
            let file = try await device.create("a", in: .root, "text")
            try await device.host.waitForRest()
            try await device.host.evict(file)
            let identifier = try device.identifier(of: file)
            device.network.isCut = true
            // That it is noted is all that is waited for.
            try await device.manager.requestDownloadForItem(withIdentifier: identifier)
            #expect(try device.residence(of: file) == .dataless)
            await device.stop()
            try await device.start()
            device.network.isCut = false
            try await device.wait(seconds: 30)
            #expect(try device.residence(of: file) == .whole)

            let error = await #expect(throws: (any Error).self) {
                try await device.manager.requestDownloadForItem(withIdentifier: Self.unknown)
            }
            #expect(Self.code(error) == .noSuchItem)
        }
    }

    @Test("fetches as much as there is of a range that has no end")
    func endlessRange() throws {
        try Stage.play(inParts: true) { _, device in
            let file = try await device.create("a", in: .root, "a text of more than one part")
            try await device.host.waitForRest()
            try await device.host.evict(file)
            try await device.manager.requestDownloadForItem(
                withIdentifier: device.identifier(of: file),
                requestedRange: NSRange(location: 9, length: .max - 9))
            try await device.wait(seconds: 30)
            #expect(try device.residence(of: file) != .dataless)
        }
    }

    @Test("lists a folder that is asked for, and nothing below it")
    func downloadOfFolder() throws {
        try Stage.play(isLazy: true) { cloud, device in
            cloud.change { state in
                for (name, parent) in [("outer", Cloud.root), ("inner", "item1"), ("a", "item2")] {
                    let id = state.newID()
                    state.items[id] = Cloud.Record(
                        id: id, parent: parent, name: name, isFolder: name != "a", content: name)
                    state.touch(id)
                }
            }
            try await device.host.waitForRest()
            #expect(try device.nodes().isEmpty)
            var seen: [String] = []
            for (folder, name) in [
                (.rootContainer, "outer"), (.init("item1"), "outer/inner"),
                (.init("item2"), "outer/inner/a"),
            ] as [(NSFileProviderItemIdentifier, String)] {
                try await device.manager.requestDownloadForItem(withIdentifier: folder)
                try await device.wait(seconds: 10)
                seen.append(name)
                #expect(try device.nodes().map(\.path) == seen)
            }
        }
    }

    @Test("brings a part of an item here, where that is asked for, and lets go of it")
    func downloadOfPart() throws {
        try Stage.play(inParts: true) { _, device in
            let file = try await device.create("a", in: .root, String(repeating: "a", count: 40))
            try await device.host.waitForRest()
            let identifier = try device.identifier(of: file)
            try await device.manager.evictItem(identifier: identifier)
            try await device.manager.requestDownloadForItem(
                withIdentifier: identifier, requestedRange: NSRange(location: 9, length: 2))
            try await device.wait(seconds: 5)
            #expect(try device.replica.read { try $0.ranges(of: file) }.ranges == [8..<12])
            try await device.manager.evictItem(identifier: identifier)
            #expect(try device.residence(of: file) == .dataless)

            device.network.isCut = true
            try await device.write("text", to: file)
            let error = await #expect(throws: (any Error).self) {
                try await device.manager.evictItem(identifier: identifier)
            }
            #expect(Self.code(error) == .unsyncedEdits)
        }
    }

    // MARK: Disconnection

    @Test("is not called while it is disconnected: what is here stays usable, the rest comes later")
    func disconnection() throws {
        try Stage.play { cloud, device in
            let file = try await device.create("a", in: .root, "the first text")
            let away = try await device.create("away", in: .root, "another text")
            try await device.host.waitForRest()
            try await device.host.evict(away)
            try await device.manager.disconnect(reason: "It is being mended.", options: .temporary)
            cloud.rename("a", to: "b")
            try await device.write("the second text", to: file)
            _ = try await device.create("new", in: .root, "new text")
            for isRestarted in [false, true] {
                if isRestarted {
                    await device.stop()
                    try await device.start()
                }
                try await device.wait(seconds: 1000)
                #expect(cloud.tree() == ["b": "the first text", "away": "another text"])
                #expect(try device.nodes().map(\.path) == ["a", "away", "new"])
                #expect(try await device.text(of: file) == "the second text")
                let error = await #expect(throws: (any Error).self) {
                    try await device.text(of: away)
                }
                #expect((error as? HostError)?.message.contains("is disconnected") == true)
            }
            let stored = try device.host.disconnection()
            #expect(stored == Disconnection(reason: "It is being mended.", isTemporary: true))
            let error = await #expect(throws: (any Error).self) {
                try await device.manager.waitForStabilization()
            }
            #expect(Self.code(error) == .providerDomainTemporarilyUnavailable)

            try await device.manager.reconnect()
            try await device.host.waitForRest()
            #expect(try device.host.disconnection() == nil)
            #expect(
                cloud.tree()
                    == ["b": "the second text", "away": "another text", "new": "new text"])
            #expect(try await device.text(of: away) == "another text")
        }
    }

    @Test("gives up what is being called when it is disconnected, and asks for it again afterwards")
    func disconnectionMeanwhile() throws {
        try Stage.play { cloud, device in
            let file = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            device.network.delay = .seconds(20)
            try await device.write("the second text", to: file)
            try await device.wait(seconds: 5)
            try await device.manager.disconnect(reason: "It is over.")
            try await device.wait(seconds: 1)
            #expect(try device.replica.read { try $0.trouble(of: file) } == nil)
            #expect(try device.host.disconnection()?.isTemporary == false)
            try await device.wait(seconds: 100)
            let count = device.network.modified.count
            device.network.delay = .zero
            try await device.manager.reconnect()
            try await device.host.waitForRest()
            #expect(device.network.modified.count == count + 1)
            #expect(cloud.tree()["a"] == "the second text")
        }
    }

    // MARK: Barriers

    @Test("waits until both sides have what the other one had, and not for what is said later")
    func stabilisation() throws {
        try Stage.play { cloud, device in
            let file = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            device.network.isCut = true
            // Nobody hears of it.
            cloud.rename("a", to: "b")
            device.network.isCut = false
            device.network.delay = .seconds(3)
            try await device.manager.waitForStabilization()
            #expect(try device.nodes().map(\.path) == ["b"])
            try await device.write("the second text", to: file)
            try await device.manager.waitForStabilization()
            #expect(cloud.tree() == ["b": "the second text"])
        }
    }

    @Test("does not wait for ever for what does not come on by itself")
    func stuck() throws {
        try Stage.play { _, device in
            var files: [NodeID] = []
            for number in 0..<40 {
                files.append(try await device.create("\(number)", in: .root, "text"))
            }
            try await device.manager.waitForStabilization()

            device.network.isCut = true
            let cut = await #expect(throws: (any Error).self) {
                try await device.manager.waitForStabilization()
            }
            #expect(Self.code(cut) == .serverUnreachable)
            device.reconnect()
            try await device.manager.waitForStabilization()

            try await device.write("another text", to: files[0])
            device.network.refusal = .insufficientQuota
            let full = await #expect(throws: (any Error).self) {
                try await device.manager.waitForStabilization()
            }
            #expect([.cannotSynchronize, .insufficientQuota].contains(Self.code(full)))
            device.network.refusal = nil
            try await device.manager.signalErrorResolved(NSFileProviderError(.insufficientQuota))
            try await device.manager.waitForStabilization()

            for file in files[..<30] { try await device.remove(file) }
            let held = await #expect(throws: (any Error).self) {
                try await device.manager.waitForStabilization()
            }
            #expect(Self.code(held) == .cannotSynchronize)
            let item = (held as NSError?)?.userInfo[NSFileProviderErrorItemKey]
            #expect(item is NSFileProviderItemIdentifier)
        }
    }

    @Test("waits for what is in a folder, until one of it is given up")
    func barrier() throws {
        try Stage.play { _, device in
            let folder = try await device.makeFolder("folder", in: .root)
            let file = try await device.create("a", in: folder, "text")
            try await device.host.waitForRest()
            let identifier = try device.identifier(of: folder)
            try await device.manager.waitForChanges(below: identifier)
            device.network.refusal = .cannotSynchronize
            try await device.write("another text", to: file)
            let error = await #expect(throws: (any Error).self) {
                try await device.manager.waitForChanges(below: identifier)
            }
            #expect(Self.code(error) == .cannotSynchronize)
            let item = (error as NSError?)?.userInfo[NSFileProviderErrorItemKey]
            #expect(try item as? NSFileProviderItemIdentifier == device.identifier(of: file))
            // Nothing is below a file.
            try await device.manager.waitForChanges(below: device.identifier(of: file))
        }
    }

    // MARK: Errors that are over

    @Test("tries again at once what waited for an error to be over, in both directions")
    func resolution() throws {
        try Stage.play { cloud, device in
            let file = try await device.create("a", in: .root, "text")
            let away = try await device.create("away", in: .root, "text")
            try await device.host.waitForRest()
            try await device.host.evict(away)
            device.network.refusal = .notAuthenticated
            try await device.write("another text", to: file)
            try await device.manager.requestDownloadForItem(
                withIdentifier: device.identifier(of: away))
            cloud.rename("away", to: "further away")
            try await device.wait(seconds: 2000)
            #expect(try device.residence(of: away) == .dataless)
            device.network.refusal = nil
            try await device.manager.signalErrorResolved(NSFileProviderError(.notAuthenticated))
            try await device.wait(seconds: 5)
            #expect(cloud.tree()["a"] == "another text")
            #expect(try device.residence(of: away) == .whole)
            #expect(try device.nodes().map(\.path) == ["a", "further away"])
        }
    }

    @Test(
        "has what the provider did not want offered to it again, when that does not stand any more")
    func includedAgain() throws {
        try Stage.play { cloud, device in
            let id = try await device.create("a.local", in: .root, "a text")
            try await device.host.waitForRest()
            #expect(try device.replica.read { try $0.node(id)?.exclusion } == .byProvider)
            let asked = device.network.created
            try await device.wait(seconds: 3600)
            #expect(device.network.created == asked)
            try await device.manager.signalErrorResolved(NSFileProviderError(.excludedFromSync))
            try await device.host.waitForRest()
            #expect(device.network.created == asked + 1)
            #expect(cloud.tree().isEmpty)
        }
    }
}
