import FileProvider
import FileProviderReplica
import Foundation
import Testing

@testable import FileProviderHost

@Suite("A name")
struct NameStoryTests {
    @Test("is one file's when the provider tells of that before it has answered who made it")
    func toldBeforeAnswered() throws {
        try Stage.play { cloud, device in
            for number in 0..<30 {
                _ = try await device.create("here \(number)", in: .root, "text \(number)")
                for _ in 0..<20 {
                    try await device.wait(milliseconds: 10)
                    #expect(try device.nodes().count == number + 1)
                }
            }
            try await device.host.waitForRest()
            #expect(cloud.tree().count == 30)
        }
    }

    @Test(
        "that comes back while its removal waits is kept by who uses it, with all that was said of it"
    )
    func cameBack() throws {
        try Stage.play { cloud, device in
            try await device.host.waitForRest()
            let names = (0..<12).map { "link \($0)" }
            func nodes() throws -> [StoredNode] {
                try names.compactMap { name in
                    try device.replica.read { try $0.child(name, of: .root) }
                }
            }
            device.network.delay = .seconds(10)
            for name in names { try await device.makeLink(name, in: .root, to: "there") }
            try await device.wait(seconds: 15)
            #expect(cloud.tree().count == names.count)
            // The answers do not come.
            device.network.isCut = true
            try await device.wait(seconds: 100)
            for node in try nodes() { try await device.remove(node.id) }
            #expect(try nodes().isEmpty)
            // News come before the creations are tried again.
            device.network.isCut = false
            device.network.delay = .zero
            cloud.add("other", "a text")
            while try nodes().count < names.count { try await device.wait(milliseconds: 1) }
            device.network.isCut = true
            let tag = Data("important".utf8)
            for node in try nodes() {
                try await device.host.setAttributes(of: node.id) { $0.tags = tag }
            }
            try await device.wait(seconds: 2)
            device.reconnect()
            try await device.host.waitForRest()

            #expect(cloud.tree().count == names.count + 1)
            let there = cloud.paths()
            #expect(names.map { there[$0]?.tags } == names.map { _ in tag })
            #expect(try nodes().map { $0.trees.local?.attributes.tags } == names.map { _ in tag })
        }
    }

    @Test("that others took is given up at once when the network is back, however long it was away")
    func takenMeanwhile() throws {
        try Stage.play { cloud, device in
            try await device.host.waitForRest()
            device.network.isCut = true
            for number in 0..<20 {
                _ = try await device.create("\(number)", in: .root, "mine")
            }
            try await device.wait(seconds: 3600)
            device.reconnect()
            for number in 0..<20 { cloud.add("\(number)", "theirs") }
            try await device.manager.signalErrorResolved(NSFileProviderError(.serverUnreachable))
            try await device.wait(seconds: 20)

            #expect(cloud.tree().count == 40)
            #expect(try device.host.isAtRest())
        }
    }

    @Test(
        "that no file can have gets a stand-in, and stays what it is at the provider",
        arguments: ["a/b", "..", ".", "", "with\0nothing", String(repeating: "n", count: 300)])
    func impossible(name: String) throws {
        try Stage.play { cloud, device in
            cloud.add("other", "another text")
            cloud.add(name, "a text")
            try await device.wait(seconds: 10)
            try await device.host.waitForRest()
            let shown = try device.replica.read { try $0.children(of: .root, limit: 10) }
            #expect(shown.count == 2)
            for node in shown {
                let local = try #require(node.trees.local)
                #expect(!local.name.isEmpty && ![".", ".."].contains(local.name))
                #expect(!local.name.contains("/") && !local.name.contains("\0"))
                #expect(local.name.utf8.count <= 255)
            }
            let odd = try #require(shown.first { $0.trees.local?.isBounced == true })
            #expect(try await device.text(of: odd.id) == "a text")
            try await device.write("a new text", to: odd.id)
            try await device.host.waitForRest()
            #expect(cloud.tree() == ["other": "another text", name: "a new text"])
        }
    }

    @Test("that a removal which is held back still has is waited for")
    func held() throws {
        try Stage.play { cloud, device in
            var old: [NodeID] = []
            for number in 0..<40 {
                old.append(try await device.create("file \(number)", in: .root, "old"))
            }
            try await device.host.waitForRest()
            for id in old { try await device.remove(id) }
            for number in 0..<40 {
                _ = try await device.makeFolder("file \(number)", in: .root)
            }
            try await device.wait(seconds: 120)
            #expect(try device.replica.read { try $0.heldRemovals() } > 0)
            let here = try device.nodes().map(\.path).sorted()
            #expect(here == (0..<40).map { "file \($0)" }.sorted())
            try await device.replica.write { try $0.confirmRemovals() }
            try await device.host.waitForRest()
            #expect(cloud.tree().count == 40)
            #expect(cloud.tree().values.allSatisfy { $0 == "/" })
        }
    }

    @Test("that each of many gives to the next is everybody's in the end")
    func circle() throws {
        try ServerStage.play { stage in
            let device = try await stage.device("laptop")
            var files: [NodeID] = []
            for number in 0..<200 {
                files.append(try await device.create("\(number)", in: .root, "text \(number)"))
            }
            try await device.host.waitForRest()
            device.network.isCut = true
            for number in files.indices {
                try await device.move(files[number], to: .root, as: "aside \(number)")
            }
            for number in files.indices {
                try await device.move(files[number], to: .root, as: "\((number + 1) % 200)")
            }
            device.reconnect()
            try await device.host.waitForRest()
            let tree = try stage.storage.tree(for: "laptop")
            #expect(tree.count == 200)
            #expect((0..<200).allSatisfy { tree["\(($0 + 1) % 200)"] == "text \($0)" })
        }
    }

    @Test("of a folder is changed by one call, however much is in it")
    func fullFolder() throws {
        try Stage.play { cloud, device in
            let folder = try await device.makeFolder("folder", in: .root)
            for number in 0..<20 { _ = try await device.create("\(number)", in: folder, "text") }
            try await device.host.waitForRest()
            let before = device.network.modified.count
            try await device.move(folder, to: .root, as: "another")
            try await device.host.waitForRest()
            #expect(device.network.modified.count == before + 1)
            #expect(cloud.tree().keys.filter { $0.hasPrefix("another/") }.count == 20)
        }
    }

    @Test(
        "that two files have exchanged are exchanged on the other side, also where Unicode takes them for one",
        arguments: [true, false], ["b", "a\u{308}"])
    func exchanged(isHere: Bool, other: String) throws {
        let name = other == "b" ? "a" : "\u{E4}"
        try Stage.play { cloud, device in
            let first = try await device.create(name, in: .root, "the first text")
            let second = try await device.create(other, in: .root, "the second text")
            try await device.host.waitForRest()
            device.network.isCut = true
            if isHere {
                try await device.move(first, to: .root, as: "aside")
                try await device.move(second, to: .root, as: name)
                try await device.move(first, to: .root, as: other)
            } else {
                cloud.rename(name, to: "aside")
                cloud.rename(other, to: name)
                cloud.rename("aside", to: other)
            }
            try await device.wait(seconds: 30)
            device.reconnect()
            try await device.wait(seconds: 60)
            try await device.host.waitForRest()
            for (id, name, text) in [
                (first, other, "the first text"), (second, name, "the second text"),
            ] {
                let node = try #require(try device.replica.read { try $0.node(id) })
                #expect(node.trees.local.map { Array($0.name.utf8) } == Array(name.utf8))
                let there = node.identifier.flatMap { cloud.record($0.rawValue) }
                #expect(there.map { Array($0.name.utf8) } == Array(name.utf8))
                #expect(there?.content == text)
                #expect(try await device.text(of: id) == text)
            }
        }
    }
}
