import FileProvider
import FileProviderHost
import FileProviderReplica
import Foundation
import Testing

@Suite("What an extension answers")
struct AnswerStoryTests {
    /// Everything is asked for some ten times in ten minutes, and no more.
    private static let fewCalls = 90

    @Test("may be that it was cancelled, though nobody did that: it is asked again, less and less")
    func ownCancellation() throws {
        try Stage.play { cloud, device in
            let away = try await device.create("away", in: .root, "a text")
            try await device.host.waitForRest()
            try await device.host.evict(away)
            device.network.companion.failure = CancellationError()
            _ = try await device.create("a", in: .root, "text")
            cloud.add("b", "text")
            try await device.host.requestDownload(of: away)
            _ = device.network.takeSent()
            try await device.wait(seconds: 600)
            let calls = device.network.takeSent().count
            #expect((10...Self.fewCalls).contains(calls), "\(calls)")

            device.network.companion.failure = nil
            try await device.wait(seconds: 600)
            try await device.host.waitForRest()
            #expect(cloud.tree() == ["away": "a text", "a": "text", "b": "text"])
            #expect(try Set(device.nodes().map(\.path)) == ["away", "a", "b"])
            #expect(try device.residence(of: away) == .whole)
        }
    }

    @Test("to a change may be that a folder is another one: what lies in both is in that then")
    func mergedFolders() throws {
        try Stage.play { cloud, device in
            let one = try await device.makeFolder("one", in: .root)
            let other = try await device.makeFolder("other", in: .root)
            let a = try await device.create("a", in: one, "the text of a")
            _ = try await device.create("b", in: other, "the text of b")
            for folder in [one, other] { _ = try await device.create("c", in: folder, "\(folder)") }
            try await device.host.waitForRest()
            let name = try device.identifier(of: a).rawValue
            #expect(device.network.companion.changeOptions[name] == nil)
            device.network.companion.merged = [
                try device.identifier(of: one).rawValue: try device.identifier(of: other).rawValue
            ]
            try await device.tag(one, 7)
            try await device.host.waitForRest()
            #expect(device.network.companion.changeOptions[name] == .mayAlreadyExist)
            let tree = cloud.tree()
            let texts = [
                "other/a": "the text of a", "other/b": "the text of b", "other/c": "\(other)",
                "other/c 2": "\(one)",
            ]
            #expect(tree == texts.merging(["one": "/", "other": "/"]) { first, _ in first })
            #expect(
                try Set(device.nodes().map(\.path)) == Set(texts.keys).union(["other"]))
            for placed in try device.nodes() where placed.node.kind == .file {
                #expect(try await device.text(of: placed.node.id) == texts[placed.path])
            }
        }
    }

    @Test(
        "to a change may be that a file is another one: that is kept, and what was written beside it",
        arguments: [false, true])
    func mergedFiles(isWritten: Bool) throws {
        try Stage.play { cloud, device in
            let one = try await device.create("one", in: .root, "the text of one")
            let other = try await device.create("other", in: .root, "the text of the other")
            try await device.host.waitForRest()
            device.network.companion.merged = [
                try device.identifier(of: one).rawValue: try device.identifier(of: other).rawValue
            ]
            device.network.delay = .seconds(1)
            try await device.tag(one, 7)
            try await device.wait(milliseconds: 500)
            if isWritten { try await device.write("a newer text of one", to: one) }
            device.network.companion.merged = [:]
            try await device.wait(seconds: 60)
            try await device.host.waitForRest()
            var texts = ["other": "the text of the other"]
            if isWritten { texts["other (conflict)"] = "a newer text of one" }
            #expect(cloud.tree() == texts)
            let nodes = try device.nodes()
            #expect(Set(nodes.map(\.path)) == Set(texts.keys))
            for placed in nodes {
                #expect(try await device.text(of: placed.node.id) == texts[placed.path])
            }
        }
    }

    @Test("to a creation may be that this was cancelled: it is asked again, less and less")
    func cancelledCreation() throws {
        try Stage.play { cloud, device in
            try await device.host.waitForRest()
            device.network.companion.creationAnswer = .failure(CancellationError())
            _ = try await device.create("a", in: .root, "text")
            try await device.wait(seconds: 600)
            #expect((5...20).contains(device.network.created), "\(device.network.created)")

            device.network.companion.creationAnswer = nil
            try await device.wait(seconds: 600)
            #expect(cloud.tree() == ["a": "text"])
        }
    }

    @Test("to a creation is no other kind of thing: that is asked for again, less and less")
    func otherKind() throws {
        try Stage.play { cloud, device in
            try await device.host.waitForRest()
            let folder = Cloud.Record(id: "item99", parent: Cloud.root, name: "a", isFolder: true)
            device.network.companion.creationAnswer = .item(folder)
            let file = try await device.create("a", in: .root, "text")
            try await device.wait(seconds: 600)
            #expect((5...20).contains(device.network.created), "\(device.network.created)")
            let trouble = try device.replica.read { try $0.trouble(of: file) }
            #expect(trouble?.message.contains("another kind") == true)
            #expect(try await device.text(of: file) == "text")

            device.network.companion.creationAnswer = nil
            try await device.wait(seconds: 600)
            #expect(cloud.tree() == ["a": "text"])
            #expect(try device.nodes().map(\.path) == ["a"])
        }
    }

    @Test(
        "to a creation may leave fields for later, which are asked for alone then, once",
        arguments: [NSFileProviderItemFields.tagData, .contents])
    func pendingFields(left: NSFileProviderItemFields) throws {
        try Stage.play { cloud, device in
            try await device.host.waitForRest()
            device.network.isCut = true
            let file = try await device.create("a", in: .root, "text")
            try await device.tag(file, 7)
            device.network.companion.unstored = left
            device.reconnect()
            try await device.wait(seconds: 60)
            try await device.host.waitForRest()

            #expect(device.network.modified == [left])
            #expect(cloud.tree() == ["a": "text"])
            #expect(cloud.tags(of: "a") == [7])
            #expect(try await device.text(of: file) == "text")
            #expect(try device.nodes().map(\.path) == ["a"])
        }
    }

    @Test(
        "to a change may leave fields for later, which are asked for alone then, and the others are not again",
        arguments: [NSFileProviderItemFields.tagData, .contents, .filename])
    func pendingFieldsOfChange(left: NSFileProviderItemFields) throws {
        try Stage.play { cloud, device in
            let file = try await device.create("a", in: .root, "text")
            try await device.host.waitForRest()
            device.network.isCut = true
            try await device.move(file, to: .root, as: "b")
            try await device.write("another text", to: file)
            try await device.tag(file, 7)
            device.network.companion.unstoredOfChange = left
            device.reconnect()
            while device.network.modified.isEmpty { try await device.wait(milliseconds: 1) }
            device.network.companion.unstoredOfChange = []
            try await device.wait(seconds: 60)
            try await device.host.waitForRest()

            let (first, rest) = (device.network.modified[0], device.network.modified.dropFirst())
            #expect(first.isSuperset(of: [.filename, .contents, .tagData]))
            #expect(Array(rest) == [left])
            #expect(cloud.tree() == ["b": "another text"])
            #expect(cloud.tags(of: "b") == [7])
            #expect(try await device.text(of: file) == "another text")
            #expect(try device.nodes().map(\.path) == ["b"])
        }
    }

    @Test("is asked for with the item's own name where it was deleted there and changed here")
    func deletionConflicted() throws {
        try Stage.play { cloud, device in
            let file = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            let identifier = try device.identifier(of: file)
            device.network.isCut = true
            try await device.write("the second text", to: file)
            cloud.remove("a")
            device.reconnect()
            try await device.host.waitForRest()

            let asked = try #require(device.network.companion.creations.last)
            #expect(asked.options == .deletionConflicted)
            #expect(asked.identifier == identifier)
            #expect(asked.contentVersion == Data("1".utf8))
            #expect(cloud.tree() == ["a": "the second text"])
            #expect(try device.identifier(of: file) != identifier)
        }
    }

    @Test("is not asked for where what was deleted there had not been changed here")
    func deletionAlone() throws {
        try Stage.play { cloud, device in
            let file = try await device.create("a", in: .root, "text")
            try await device.host.waitForRest()
            try await device.host.evict(file)
            cloud.remove("a")
            try await device.host.waitForRest()
            #expect(device.network.created == 1)
            #expect(try device.nodes().isEmpty)
        }
    }

    // MARK: Beyond the limits

    @Test("in a listing is not taken, nor kept, where it is a hundred times what was asked for")
    func flood() throws {
        try Stage.play(isLazy: true) { cloud, device in
            cloud.add("a", "text")
            device.network.companion.flood = 100_000
            let error = await #expect(throws: HostError.self) {
                try await device.host.list(.root)
            }
            #expect(error?.message.contains("more than 100000 items") == true)
            #expect(try device.nodes().isEmpty)
            device.network.companion.flood = 0
            try await device.host.list(.root)
            #expect(try device.nodes().map(\.path) == ["a"])
        }
    }

    @Test("about changes is not taken where it is a hundred times what was asked for")
    func floodOfChanges() throws {
        try Stage.play { cloud, device in
            cloud.add("a", "text")
            try await device.host.waitForRest()
            device.network.companion.flood = 100_000
            cloud.add("b", "text")
            try await device.wait(seconds: 3)
            #expect(try device.nodes().map(\.path) == ["a"])
            device.network.companion.flood = 0
            try await device.wait(seconds: 60)
            #expect(try Set(device.nodes().map(\.path)) == ["a", "b"])
        }
    }

    @Test(
        "is no anchor where it is longer than it may be: everything is told again, now and then",
        arguments: [500, 501, 50_000])
    func longAnchors(length: Int) throws {
        try Stage.play { cloud, device in
            cloud.add("a", "text")
            try await device.host.waitForRest()
            cloud.nameAnchors(withBytes: length)
            cloud.add("b", "text")
            cloud.remove("a")
            _ = try await device.create("c", in: .root, "here")
            try await device.wait(seconds: 600)
            #expect(try Set(device.nodes().map(\.path)) == ["b", "c"])
            #expect(cloud.tree() == ["b": "text", "c": "here"])
            let told = device.network.told["everything"] ?? 0
            #expect(length > 500 ? (2...30).contains(told) : told == 1, "\(told)")

            cloud.nameAnchors(withBytes: 0)
            cloud.add("d", "text")
            try await device.wait(seconds: 600)
            try await device.host.waitForRest()
            #expect(try Set(device.nodes().map(\.path)) == ["b", "c", "d"])
        }
    }

    @Test("that names a container in place of what was made takes nobody's place")
    func container() throws {
        try Stage.play { cloud, device in
            _ = try await device.create("a", in: .root, "text")
            try await device.host.waitForRest()
            let root = Cloud.Record(id: Cloud.root, parent: Cloud.root, name: "r", isFolder: true)
            device.network.companion.creationAnswer = .item(root)
            let folder = try await device.makeFolder("folder", in: .root)
            try await device.wait(seconds: 60)
            let trouble = try device.replica.read { try $0.trouble(of: folder) }
            #expect(trouble?.message.contains("not what was asked for") == true)

            device.network.companion.creationAnswer = nil
            try await device.wait(seconds: 600)
            #expect(cloud.tree() == ["a": "text", "folder": "/"])
            #expect(try device.nodes().map(\.path).sorted() == ["a", "folder"])
        }
    }
}
