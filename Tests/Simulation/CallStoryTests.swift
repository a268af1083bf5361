import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Foundation
import Testing

@Suite("Calls of an extension")
struct CallStoryTests {
    @Test("that it answers twice are answered once")
    func answeredTwice() throws {
        try Stage.play { cloud, device in
            device.network.companion.answersTwice = true
            let file = try await device.create("a", in: .root, "text")
            let gone = try await device.create("gone", in: .root, "text")
            try await device.host.waitForRest()
            try await device.write("another text", to: file)
            try await device.move(file, to: .root, as: "b")
            try await device.remove(gone)
            try await device.host.waitForRest()
            try await device.host.evict(file)
            #expect(try await device.text(of: file) == "another text")
            #expect(cloud.tree() == ["b": "another text"])
            #expect(try device.nodes().map(\.path) == ["b"])
        }
    }

    @Test("that end with an error which nobody here knows are made again later")
    func unknownError() throws {
        try Stage.play { cloud, device in
            let away = try await device.create("away", in: .root, "text")
            try await device.host.waitForRest()
            try await device.host.evict(away)
            device.network.companion.failure = NSError(domain: "com.example.cloud", code: 5)
            let file = try await device.create("a", in: .root, "text")
            cloud.add("b", "text")
            await #expect(throws: (any Error).self) { try await device.text(of: away) }
            try await device.wait(seconds: 60)
            #expect(cloud.tree()["a"] == nil)
            #expect(
                try device.replica.read { try $0.trouble(of: file) }?.domain == "com.example.cloud")

            device.network.companion.failure = nil
            try await device.wait(seconds: 600)
            try await device.host.waitForRest()
            #expect(cloud.tree() == ["away": "text", "a": "text", "b": "text"])
            #expect(try Set(device.nodes().map(\.path)) == ["away", "a", "b"])
        }
    }

    @Test("never ask twice at a time what has changed, however often there is news")
    func oneEnumeration() throws {
        try Stage.play { cloud, device in
            try await device.host.waitForRest()
            device.network.delay = .seconds(3)
            _ = device.network.companion.takeMost(of: "enumeration of changes")
            for number in 0..<100 {
                cloud.add("\(number)", "text")
                device.host.signal()
                try await device.wait(seconds: 1)
            }
            try await device.host.waitForRest()
            #expect(device.network.companion.takeMost(of: "enumeration of changes") == 1)
            #expect(try device.nodes().count == 100)
        }
    }

    @Test("change one item one after the other, however fast it is changed here")
    func oneChange() throws {
        try Stage.play { cloud, device in
            device.network.delay = .seconds(3)
            let file = try await device.create("0", in: .root, "text")
            for number in 1...40 {
                try await device.write("text \(number)", to: file)
                try await device.wait(milliseconds: 700)
                try await device.move(file, to: .root, as: "\(number)")
                try await device.tag(file, UInt8(number))
                try await device.wait(milliseconds: 700)
            }
            try await device.host.waitForRest()
            #expect(device.network.companion.mostChangesOfOne == 1)
            #expect(cloud.tree() == ["40": "text 40"])
        }
    }

    @Test("tell of what is called by the same version and is another all the same")
    func sameVersion() throws {
        try Stage.play { cloud, device in
            let file = try await device.create("a", in: .root, "text")
            try await device.host.waitForRest()
            let id = try device.identifier(of: file).rawValue
            cloud.change { state in
                state.items[id]?.name = "b"
                state.touch(id)
            }
            try await device.wait(seconds: 60)
            #expect(try device.nodes().map(\.path) == ["b"])
            #expect(try device.nodes().first?.node.id == file)
        }
    }
}
