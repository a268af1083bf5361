import BasketDatabase
import BasketSupport
import FileProvider
import FileProviderReplica
import FolderProvider
import Foundation
import Testing

@testable import FileProviderHost

/// The host knows no server: here is another provider, on a real disk and real threads.
@Suite("A folder of the disk that an extension serves", .timeLimit(.minutes(60)))
struct FolderExtensionTests {
    @Test("is here with all that is put into it")
    func arriving() async throws {
        try await FolderStage.play { stage in
            try stage.put("a", "text")
            try stage.makeFolder("folder")
            try stage.makeFolder("folder/inner")
            try stage.put("folder/inner/b", "other text")
            try FileManager.default.createSymbolicLink(
                atPath: stage.root + "/link", withDestinationPath: "folder/inner")
            try await stage.settle()
            let expected = [
                "a": "text", "folder": "/", "folder/inner": "/",
                "folder/inner/b": "other text", "link": "→ folder/inner",
            ]
            #expect(try await stage.here() == expected)
            #expect(try stage.there() == expected)
        }
    }

    @Test("has all that is written here")
    func leaving() async throws {
        try await FolderStage.play { stage in
            let folder = try await stage.host.make("folder", in: .root, kind: .folder)
            try await stage.write("a", in: folder, "text")
            _ = try await stage.host.make("link", in: .root, kind: .symlink, target: "folder/a")
            try await stage.settle()
            let expected = ["folder": "/", "folder/a": "text", "link": "→ folder/a"]
            #expect(try stage.there() == expected)
            try await stage.write("a", in: folder, "new text")
            try await stage.settle()
            #expect(try stage.there()["folder/a"] == "new text")
            #expect(try await stage.here() == stage.there())
        }
    }

    @Test("follows names, places and deletions both ways")
    func tree() async throws {
        try await FolderStage.play { stage in
            for name in ["a", "b", "c", "d"] { try stage.put(name, "text of \(name)") }
            try stage.makeFolder("folder")
            try stage.makeFolder("other")
            try stage.put("other/e", "text of e")
            try await stage.settle()
            let before = try await stage.node("a")

            try stage.move("a", to: "folder/a1")
            try stage.move("other", to: "folder/other")
            try stage.remove("b")
            try stage.put("folder/other/e", "new text of e")
            try await stage.settle()
            let expected = [
                "c": "text of c", "d": "text of d", "folder": "/", "folder/a1": "text of a",
                "folder/other": "/", "folder/other/e": "new text of e",
            ]
            #expect(try await stage.here() == expected)
            // It is the same item still.
            #expect(try await stage.node("folder/a1") == before)

            let folder = try await stage.node("folder")
            try await stage.host.move(
                stage.node("c"), to: folder, as: "c1", replaces: false)
            try await stage.host.move(
                stage.node("folder/other"), to: .root, as: "back", replaces: false)
            try await stage.host.remove(stage.node("d"))
            try await stage.settle()
            let after = [
                "back": "/", "back/e": "new text of e", "folder": "/",
                "folder/a1": "text of a", "folder/c1": "text of c",
            ]
            #expect(try stage.there() == after)
            #expect(try await stage.here() == after)
        }
    }

    @Test("keeps both contents when both sides have changed one, and both files of one name")
    func conflicts() async throws {
        try await FolderStage.play { stage in
            try stage.put("a", "text")
            try stage.put("gone", "text")
            try await stage.settle()
            _ = try await stage.here()
            try await stage.host.disconnect(Disconnection(reason: "away", isTemporary: true))
            try await stage.write("a", in: .root, "written here")
            try await stage.write("new", in: .root, "made here")
            try await stage.write("gone", in: .root, "kept here")
            try stage.put("a", "written there, and longer")
            try stage.put("new", "made there")
            try stage.remove("gone")
            try await stage.host.reconnect()
            try await stage.settle()
            let there = try stage.there()
            #expect(there["a"] == "written there, and longer")
            #expect(
                Set(there.values) == [
                    "written there, and longer", "written here", "made here", "made there",
                    "kept here",
                ])
            #expect(there.count == 5)
            #expect(try await stage.here() == there)
        }
    }

    @Test("loses nothing while many work on both sides at once")
    func crowd() async throws {
        try await FolderStage.play { stage in
            try stage.put("shared", "text")
            try await stage.settle()
            // No name is one that another's stand-in could have: that of "a 4" is "a 5" for a moment.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<3 {
                    group.addTask {
                        for round in 0..<20 {
                            try stage.put("there \(number) \(round)x", "text \(round)")
                            try stage.put("there \(number)x", "round \(round)")
                            stage.provider.look()
                            await Task.yield()
                        }
                    }
                    group.addTask {
                        for round in 0..<20 {
                            try await stage.write("here \(number) \(round)x", in: .root, "\(round)")
                            try await stage.write("here \(number)x", in: .root, "round \(round)")
                            await Task.yield()
                        }
                    }
                }
                group.addTask { try await stage.write("shared", in: .root, "shared here") }
                group.addTask { try stage.put("shared", "shared there, and longer") }
                try await group.waitForAll()
            }
            try await stage.settle()
            let there = try stage.there()
            #expect(try await stage.here() == there)
            for number in 0..<3 {
                #expect(there["there \(number)x"] == "round 19")
                #expect(there["here \(number)x"] == "round 19")
                for round in 0..<20 {
                    #expect(there["there \(number) \(round)x"] == "text \(round)")
                    #expect(there["here \(number) \(round)x"] == "\(round)")
                }
            }
            // Who comes last may write over what was there: an editor there asks nobody.
            #expect(["shared here", "shared there, and longer"].contains(there["shared"]))
        }
    }
}
