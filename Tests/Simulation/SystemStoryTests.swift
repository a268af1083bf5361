import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Testing

@Suite("The system of a domain")
struct SystemStoryTests {
    // MARK: Calls that stand still

    @Test("gives up a call that stands still, and makes it again: nothing is there twice")
    func stalledCreation() throws {
        try Stage.play { cloud, device in
            try await device.host.waitForRest()
            device.network.delay = .seconds(4000)
            let file = try await device.create("a", in: .root, "the first text")
            try await device.wait(seconds: 365)
            let trouble = try device.replica.read { try $0.trouble(of: file) }
            #expect(trouble?.domain == NSFileProviderErrorDomain)
            #expect(trouble?.code == NSFileProviderError.Code.serverUnreachable.rawValue)

            device.network.delay = .zero
            try await device.host.waitForRest()
            #expect(cloud.tree() == ["a": "the first text"])
            // Whoever was given up comes on all the same, hours later.
            try await device.wait(seconds: 20_000)
            try await device.host.waitForRest()
            #expect(cloud.tree() == ["a": "the first text"])
            #expect(try await device.text(of: file) == "the first text")
        }
    }

    @Test("keeps for a call that it has given up what that was handed")
    func stalledContents() throws {
        try Stage.play { cloud, device in
            let file = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            device.network.delay = .seconds(4000)
            try await device.write("the second text", to: file)
            try await device.wait(seconds: 320)
            #expect(try device.replica.read { try $0.trouble(of: file) } != nil)
            let handed = try #require(try device.replica.read { try $0.node(file)?.file })
            let writing = try await device.replica.write {
                try $0.beginWriting(file, keepsBytes: true)
            }
            #expect(writing.file != handed)
            try await device.write("the third text", to: file)
            try await device.wait(seconds: 100)
            #expect(device.replica.contents.exists(handed))

            device.network.delay = .zero
            try await device.host.waitForRest()
            #expect(cloud.tree()["a"] == "the third text")
            try await device.wait(seconds: 20_000)
            #expect(!device.replica.contents.exists(handed))
        }
    }

    @Test("lets a call take its time for as long as its progress moves")
    func slowCall() throws {
        try Stage.play { cloud, device in
            try await device.host.waitForRest()
            device.network.delay = .seconds(4000)
            device.network.reportsEvery = .seconds(200)
            let file = try await device.create("a", in: .root, "the first text")
            try await device.wait(seconds: 7990)
            #expect(try device.replica.read { try $0.trouble(of: file) } == nil)
            device.network.delay = .zero
            try await device.host.waitForRest()
            #expect(device.network.created == 1)
            #expect(cloud.tree() == ["a": "the first text"])
        }
    }

    @Test("follows the provider again when an enumeration has come to nothing")
    func stalledEnumeration() throws {
        try Stage.play { cloud, device in
            let file = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            device.network.delay = .seconds(100_000)
            cloud.rename("a", to: "b")
            try await device.wait(seconds: 100)
            device.network.delay = .zero
            #expect(try !device.host.isAtRest())
            try await device.wait(seconds: 300)
            #expect(try device.host.isAtRest())
            #expect(try device.nodes().map(\.path) == ["b"])
            #expect(try device.nodes().map(\.node.id) == [file])
        }
    }
}
