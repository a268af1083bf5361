import FileProvider
import FileProviderHost
import FileProviderReplica
import Foundation
import Testing

@Suite("What is told of, and lies where nobody can look,")
struct StrayStoryTests {
    @Test(
        "keeps nobody from the rest, and comes when somebody can look there",
        arguments: [true, false])
    func strays(isNew: Bool) throws {
        try Stage.play { cloud, device in
            cloud.add("a", "text")
            if !isNew { cloud.add("in", "text") }
            try await device.host.waitForRest()
            cloud.add("folder", nil)
            let folder = try #require(cloud.paths()["folder"]).id
            cloud.forgetChange(of: folder)
            device.network.companion.tellsAncestors = false
            device.network.companion.unspoken = [folder: CocoaError(.fileReadUnknown)]
            for name in isNew ? ["in", "also in"] : [] { cloud.add(name, "text", in: folder) }
            if !isNew { cloud.move("in", into: folder) }
            cloud.add("b", "text")
            try await device.wait(seconds: 5)
            let before = isNew ? ["a", "b"] : ["a", "b", "in"]
            #expect(try Set(device.nodes().map(\.path)) == Set(before))

            device.kill()
            try await device.start()
            try await device.wait(seconds: 600)
            #expect(try Set(device.nodes().map(\.path)) == Set(before))
            device.network.companion.unspoken = [:]
            try await device.wait(seconds: 600)
            let later = isNew ? ["folder/in", "folder/also in"] : ["folder/in"]
            #expect(try Set(device.nodes().map(\.path)) == Set(["a", "b", "folder"] + later))
            #expect(try !device.replica.read { try $0.isLookOwed() })
        }
    }

    @Test("and is gone when somebody can look there, is asked for no more")
    func gone() throws {
        try Stage.play { cloud, device in
            try await device.host.waitForRest()
            cloud.add("folder", nil)
            let folder = try #require(cloud.paths()["folder"]).id
            cloud.forgetChange(of: folder)
            device.network.companion.tellsAncestors = false
            device.network.companion.unspoken = [folder: CocoaError(.fileReadUnknown)]
            cloud.add("in", "text", in: folder)
            let file = try #require(cloud.paths()["folder/in"]).id
            try await device.wait(seconds: 5)
            #expect(try device.replica.read { try $0.isLookOwed() })
            cloud.remove("in")
            cloud.forgetChange(of: file)
            try await device.wait(seconds: 600)
            #expect(try !device.replica.read { try $0.isLookOwed() })
            #expect(try device.nodes().isEmpty)
        }
    }
}
