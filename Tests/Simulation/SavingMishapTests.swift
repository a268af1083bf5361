import FileProvider
import FileProviderReplica
import Foundation
import Testing

@testable import FileProviderHost

@Suite("A program that saves, when something comes between,")
struct SavingMishapTests {
    private static let editor = Program(name: "editor")

    @Test("writes two files where the provider knows the item by its other name already")
    func unheardName() throws {
        try Stage.play { cloud, device in
            let id = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            device.network.delay = .seconds(1)
            try await device.move(id, to: .root, as: "a.old")
            while !cloud.knows("a.old", in: Cloud.root) {
                try await device.wait(milliseconds: 10)
            }
            // The answer never comes.
            device.kill()
            device.network.isCut = true
            device.network.delay = .zero
            try await device.start()
            try await device.move(id, to: .root, as: "a")
            try await device.move(id, to: .root, as: "a.old")
            _ = try await device.create("a", in: .root, "the second text")
            device.reconnect()
            try await device.wait(seconds: 300)
            try await device.host.waitForRest()

            let texts = ["a": "the second text", "a.old": "the first text"]
            #expect(cloud.tree() == texts)
            for (path, node) in try device.nodes() {
                #expect(try await device.text(of: node.id) == texts[path])
            }
        }
    }

    @Test("keeps what it replaces, though that was fetched just before the power failed")
    func powerCut() throws {
        try Stage.play { cloud, device in
            let id = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            try await device.host.evict(id)
            #expect(try await device.text(of: id) == "the first text")
            try await device.move(id, to: .root, as: "a.bak")
            _ = try await device.create("a", in: .root, "the second text")
            while cloud.tree()["a"] != "the second text" {
                try await device.wait(milliseconds: 10)
            }
            try device.crash(leaving: 5)
            try await device.start()
            try await device.host.waitForRest()
            let backup = try #require(try device.replica.read { try $0.child("a.bak", of: .root) })
            #expect(try await device.text(of: backup.id) == "the first text")
        }
    }

    @Test("while nothing can be sent, keeps nobody busy")
    func disconnected() throws {
        try Stage.play { cloud, device in
            let id = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            try await device.manager.disconnect(reason: "away", options: [])
            try await device.move(id, to: .root, as: "b")
            try await device.wait(seconds: 60)
            #expect(cloud.tree() == ["a": "the first text"])
            try await device.manager.reconnect()
            try await device.host.waitForRest()
            #expect(cloud.tree() == ["b": "the first text"])
        }
    }

    @Test("the same again and again, in a file that looks like its own, has it sent all the same")
    func busyDraft() throws {
        try Stage.play { cloud, device in
            let id = try await device.create("journal.tmp", in: .root, "text")
            for number in 0..<40 {
                try await device.write("text \(number)", to: id)
                try await device.wait(milliseconds: 300)
            }
            #expect(cloud.knows("journal.tmp", in: Cloud.root))
        }
    }

    @Test("keeps what is said of the new file, and of the old one")
    func words() throws {
        try Stage.play { cloud, device in
            let id = try await device.create("a", in: .root, "the first text")
            try await device.host.setAttributes(of: id) { $0.extended["user.old"] = Data([1]) }
            try await device.host.waitForRest()
            let new = try await device.create("a.tmp", in: .root, "the second text")
            try await device.host.setAttributes(of: new) { $0.extended["user.new"] = Data([2]) }
            try await device.move(new, to: .root, as: "a")
            try await device.host.waitForRest()

            let node = try #require(try device.replica.read { try $0.child("a", of: .root) })
            #expect(node.id == id)
            #expect(
                node.trees.local?.attributes.extended == [
                    "user.old": Data([1]), "user.new": Data([2]),
                ])
            #expect(cloud.tree() == ["a": "the second text"])
        }
    }

    @Test("is not interrupted: a rename between two forms of Unicode is one")
    func forms() throws {
        try Stage.play { cloud, device in
            let (composed, apart) = ("\u{e9}", "e\u{301}")
            let id = try await device.create(composed, in: .root, "a text")
            try await device.host.waitForRest()
            try await device.move(id, to: .root, as: apart)
            try await device.host.waitForRest()
            #expect(cloud.tree().keys.map { Array($0.utf8) } == [Array(apart.utf8)])
            cloud.change { state in
                for var item in Array(state.items.values) {
                    item.name = composed
                    item.metadataVersion += 1
                    state.items[item.id] = item
                    state.touch(item.id)
                }
            }
            try await device.host.waitForRest()
            let name = try device.replica.read { try $0.node(id)?.trees.local?.name }
            #expect(name.map { Array($0.utf8) } == Array(composed.utf8))
        }
    }

    @Test("and has made that durable, though it has not closed it, has it sent after a power cut")
    func newInPlace() throws {
        try Stage.play { cloud, device in
            let file = try await device.host.create("a", in: .root, by: Self.editor)
            try await file.write(Array("the first text".utf8), at: 0)
            try await file.synchronise()
            try await device.wait(milliseconds: 10)
            try device.crash(leaving: 5)
            try await device.start()
            try await device.host.waitForRest()
            #expect(cloud.tree() == ["a": "the first text"])
        }
    }

    @Test("into its own file when the power fails goes on with what is there")
    func inPlace() throws {
        try Stage.play { cloud, device in
            let id = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            let file = try await device.host.open(id, for: .writing, by: Self.editor)
            try await file.write(Array("THE FIRST TEXT, and more".utf8), at: 0)
            try device.crash(leaving: 5)
            try await device.start()
            try await device.host.waitForRest()
            try await device.move(id, to: .root, as: "b")
            try await device.wait(seconds: 60)
            try await device.host.waitForRest()
            #expect(cloud.tree()["b"] != nil && cloud.tree()["a"] == nil)
        }
    }
}
