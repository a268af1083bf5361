import BasketSupport
import FileProvider
import FileProviderHost
import Foundation
import Testing

@testable import FileProviderReplica

@Suite("What a device has sent, and died before it heard the answer,")
struct UnheardStoryTests {
    /// A device that starts again is the same one.
    private static let habits = Habits.third

    /// What its person changes, the first and the second time.
    enum Word: CaseIterable, Sendable {
        case name, place, tags, everything
        /// Back to what it was.
        case undone
        /// Again and again, while nobody can be reached.
        case often

        var first: (name: String, folder: String, tag: String?) {
            switch self {
            case .name, .undone, .often: ("first", "", nil)
            case .place: ("text", "here", nil)
            case .tags: ("text", "", "red")
            case .everything: ("first", "here", "red")
            }
        }

        var second: (name: String, folder: String, tag: String?) {
            switch self {
            case .name, .often: ("second", "", nil)
            case .place: ("text", "there", nil)
            case .tags: ("text", "", "blue")
            case .everything: ("second", "there", "blue")
            case .undone: ("text", "", nil)
            }
        }
    }

    private static func say(
        _ word: (name: String, folder: String, tag: String?), of file: NodeID, on device: Device
    ) async throws {
        let folder = try device.replica.read { try $0.child(word.folder, of: .root)?.id } ?? .root
        try await device.move(file, to: folder, as: word.name)
        guard let tag = word.tag else { return }
        let tags = try JSONEncoder().encode([tag])
        try await device.host.setAttributes(of: file) { $0.tags = tags }
    }

    /// A file at the server, and a device that has asked for a change of it, and is dead.
    private static func begin(_ stage: ServerStage, _ word: Word) async throws -> (Device, NodeID) {
        let device = try await stage.device("laptop")
        for name in ["here", "there"] { try await device.makeFolder(name, in: .root) }
        let file = try await device.create("text", in: .root, "a text")
        try await device.host.waitForRest()
        let before = try stage.storage.details(for: "laptop")
        device.network.delay = .seconds(1)
        try await say(word.first, of: file, on: device)
        while try stage.storage.details(for: "laptop") == before {
            try await device.wait(milliseconds: 10)
        }
        device.kill()
        device.network.isCut = true
        device.network.delay = .zero
        try await device.start()
        return (device, file)
    }

    @Test("does not undo what its person says afterwards", arguments: Word.allCases, [false, true])
    func again(word: Word, hasAsked: Bool) throws {
        try ServerStage.play(habits: Self.habits) { stage in
            let (device, file) = try await Self.begin(stage, word)
            // It has asked again, in vain.
            if hasAsked { try await device.wait(seconds: 5) }
            if word == .often {
                for number in 0..<20 {
                    try await device.move(file, to: .root, as: "name \(number)")
                    try await device.wait(seconds: 200)
                }
            }
            try await Self.say(word.second, of: file, on: device)
            device.reconnect()
            try await device.wait(seconds: 300)
            try await device.host.waitForRest()

            let wanted = word.second
            let path = (wanted.folder.isEmpty ? "" : wanted.folder + "/") + wanted.name
            let tree = try stage.storage.tree(for: "laptop")
            #expect(tree == ["here": "/", "there": "/", path: "a text"])
            #expect(try Set(device.nodes().map(\.path)) == Set(tree.keys))
            let node = try device.replica.read { try $0.node(file) }
            let tags = wanted.tag.map { [$0] } ?? []
            #expect(ItemDetails.tags(of: node?.trees.local?.attributes.tags) == tags)
            #expect(try stage.storage.details(for: "laptop")[path]?.tags == tags)
            #expect(node?.unheard == [])
        }
    }

    @Test("is not its person's last word, though the database is lost as well")
    func lostDatabase() throws {
        try ServerStage.play(habits: Self.habits) { stage in
            let (device, file) = try await Self.begin(stage, .undone)
            try await Self.say(Word.undone.second, of: file, on: device)
            try device.loseDatabase()
            try await device.start()
            device.reconnect()
            try await device.wait(seconds: 300)
            try await device.host.waitForRest()
            #expect(try stage.storage.tree(for: "laptop")["text"] == "a text")
            #expect(try Set(device.nodes().map(\.path)) == ["here", "there", "text"])
        }
    }

    @Test("is no conflict with what its person writes afterwards")
    func contents() throws {
        try ServerStage.play(habits: Self.habits) { stage in
            let device = try await stage.device("laptop")
            let file = try await device.create("text", in: .root, "a text")
            try await device.host.waitForRest()
            device.network.delay = .seconds(1)
            try await device.write("the first change", to: file)
            while try stage.storage.tree(for: "laptop") == ["text": "a text"] {
                try await device.wait(milliseconds: 10)
            }
            device.kill()
            device.network.isCut = true
            device.network.delay = .zero
            try await device.start()
            try await device.write("the second change", to: file)
            device.reconnect()
            try await device.host.waitForRest()
            let tree = try stage.storage.tree(for: "laptop")
            #expect(tree == ["text": "the second change"])
            #expect(try await device.text(of: file) == "the second change")
        }
    }

    @Test("gives way to what others have said since then")
    func others() throws {
        try ServerStage.play(habits: Self.habits) { stage in
            let (device, file) = try await Self.begin(stage, .name)
            try await device.wait(seconds: 5)
            let other = try await stage.device("desktop")
            try await other.host.waitForRest()
            let files = try other.nodes().filter { $0.path == "first" }
            try await other.move(#require(files.first).node.id, to: .root, as: "another's")
            try await other.host.waitForRest()
            try await device.move(file, to: .root, as: "second")
            device.reconnect()
            try await device.host.waitForRest()
            try await other.host.waitForRest()
            let tree = try stage.storage.tree(for: "laptop")
            #expect(tree == ["here": "/", "there": "/", "another's": "a text"])
            for device in [device, other] {
                #expect(try Set(device.nodes().map(\.path)) == Set(tree.keys))
            }
        }
    }

    @Test("takes along nothing that others made, when it was removed before it was answered")
    func removedMeanwhile() throws {
        try ServerStage.play(habits: Self.habits) { stage in
            let laptop = try await stage.device("laptop")
            let desktop = try await stage.device("desktop")
            for device in [laptop, desktop] { try await device.host.waitForRest() }
            laptop.network.delay = .seconds(1)
            _ = try await desktop.makeFolder("folder", in: .root)
            try await desktop.host.waitForRest()
            // The server takes it for the other one, of which this device is about to be told.
            let folder = try await laptop.makeFolder("folder", in: .root)
            try await laptop.wait(milliseconds: 500)
            try await laptop.remove(folder)
            try await laptop.wait(seconds: 20)
            laptop.network.delay = .zero
            for device in [laptop, desktop] { try await device.host.waitForRest() }
            try await laptop.wait(seconds: 10)
            #expect(try stage.storage.tree(for: "laptop") == ["folder": "/"])
            for device in [laptop, desktop] {
                #expect(try device.nodes().map(\.path) == ["folder"])
            }
        }
    }

    @Test("takes nothing from what others have said since then")
    func attributes() throws {
        try ServerStage.play(habits: Self.habits) { stage in
            let device = try await stage.device("laptop")
            try await device.host.waitForRest()
            device.network.delay = .seconds(1)
            try await device.makeFolder("folder", in: .root)
            while try stage.storage.tree(for: "laptop").isEmpty {
                try await device.wait(milliseconds: 10)
            }
            device.kill()
            device.network.isCut = true
            device.network.delay = .zero
            try await device.start()
            let other = try await stage.device("desktop")
            try await other.host.waitForRest()
            try await Self.set("user.theirs", on: other)
            try await other.host.waitForRest()
            try await Self.set("user.ours", on: device)
            device.reconnect()
            for device in [device, other, device] {
                try await device.host.waitForRest()
                // What has just come to the server is heard a moment later.
                try await device.wait(seconds: 10)
            }
            for device in [device, other] {
                let attributes = try #require(
                    try device.nodes().first?.node.trees.local?.attributes)
                #expect(attributes.extended["user.theirs"] == Data("desktop".utf8))
                #expect(attributes.extended["user.ours"] == Data("laptop".utf8))
            }
        }
    }

    @Test("is taken back by its person alone, though others have said something beside it")
    func takenBack() throws {
        try ServerStage.play(habits: Self.habits) { stage in
            let device = try await stage.device("laptop")
            let other = try await stage.device("desktop")
            try await device.makeFolder("folder", in: .root)
            try await device.host.waitForRest()
            try await device.wait(seconds: 10)
            try await other.host.waitForRest()
            device.network.delay = .seconds(1)
            let before = try stage.storage.details(for: "laptop")
            try await Self.set("user.ours", on: device)
            while try stage.storage.details(for: "laptop") == before {
                try await device.wait(milliseconds: 10)
            }
            device.kill()
            device.network.isCut = true
            device.network.delay = .zero
            try await device.start()
            try await Self.set("user.theirs", on: other)
            try await other.host.waitForRest()
            let folder = try #require(try device.nodes().first?.node.id)
            try await device.host.setAttributes(of: folder) { $0.extended["user.ours"] = nil }
            device.reconnect()
            for device in [device, other, device] {
                try await device.host.waitForRest()
                try await device.wait(seconds: 10)
            }
            for device in [device, other] {
                let attributes = try #require(
                    try device.nodes().first?.node.trees.local?.attributes)
                #expect(attributes.extended == ["user.theirs": Data("desktop".utf8)])
            }
        }
    }

    @Test("is recognised attribute by attribute")
    func recognised() {
        func entry(_ attributes: [String: String]) -> Entry {
            Entry(
                parent: .root, name: "file", kind: .file, content: .version(Data("1".utf8)),
                attributes: EntryAttributes(extended: attributes.mapValues { Data($0.utf8) }))
        }
        let (old, sent) = (entry(["c": "1", "d": "1"]), entry(["a": "1", "d": "1"]))
        var node = StoredNode(
            id: NodeID(rawValue: 7), trees: NodeTrees(local: sent, synced: old, remote: old))
        node.ask(.extendedAttributes, of: sent)
        // Somebody else has said something of b and d.
        node.trees.remote = entry(["a": "1", "b": "2", "d": "2"])
        node.recogniseEchoes(isAside: false)
        #expect(node.trees.synced?.attributes == node.trees.remote?.attributes)
        #expect(node.trees.local?.attributes == node.trees.remote?.attributes)
        #expect(node.unheard.isEmpty)
    }

    private static func set(_ name: String, on device: Device) async throws {
        let folder = try #require(try device.nodes().first?.node.id)
        let value = Data(device.name.utf8)
        try await device.host.setAttributes(of: folder) { $0.extended[name] = value }
    }

    @Test("hides nothing that others have put into it, and have put away together with it")
    func children() throws {
        try Stage.play(isLazy: true) { cloud, device in
            try await device.host.list(.root)
            device.network.delay = .seconds(5)
            try await device.makeFolder("folder", in: .root)
            while !cloud.knows("folder", in: Cloud.root) {
                try await device.wait(milliseconds: 10)
            }
            device.kill()
            device.network.delay = .zero
            let folder = try #require(cloud.paths()["folder"])
            cloud.add("theirs", "a text", in: folder.id)
            cloud.change { state in
                state.items[folder.id]?.parent = Cloud.trash
                state.touch(folder.id)
            }
            // What was told until now is not told again.
            try device.loseDatabase()
            try await device.start()
            try await device.host.waitForRest()
            let node = try #require(
                try device.replica.read { try $0.node(identifier: .init(folder.id))?.id })
            try await device.host.list(node)
            let paths = try device.nodes().map(\.path)
            #expect(
                paths.count == 2 && paths.contains { $0.hasSuffix("folder/theirs") }, "\(paths)")
        }
    }
}
