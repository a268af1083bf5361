import FileProvider
import FileProviderHost
import FileProviderReplica
import Testing

@Suite("What stands in the way of everything", .timeLimit(.minutes(60)))
struct OutageStoryTests {
    private static let count = 300

    /// Somebody makes many files while nobody can be asked.
    private static func fill(_ device: Device) async throws {
        for number in 0..<count {
            _ = try await device.create("\(number)", in: .root, "text \(number)")
        }
    }

    @Test(
        "has one call a minute look whether it is over, however many things wait; then all are done at once",
        arguments: [NSFileProviderError.Code.serverUnreachable, .notAuthenticated])
    func probes(code: NSFileProviderError.Code) throws {
        try Stage.play { cloud, device in
            try await device.host.waitForRest()
            device.network.refusal = code
            try await Self.fill(device)
            try await device.wait(seconds: 120)
            _ = device.network.takeSent()
            let before = device.network.created
            try await device.wait(seconds: 600)
            let calls = device.network.created - before
            #expect((8...25).contains(calls), "\(calls)")
            // Each says what it waits for, whether or not it was asked for.
            let troubled = try device.replica.read { try $0.troubled(limit: 1000) }
            #expect(troubled.count == Self.count)

            device.network.refusal = nil
            try await device.wait(seconds: 70)
            try await device.host.waitForRest()
            #expect(cloud.tree().count == Self.count)
            #expect(try device.replica.read { try $0.troubled(limit: 1000) }.isEmpty)
        }
    }

    @Test("has one download a minute look whether it is over, however much is to be kept here")
    func pins() throws {
        try Stage.play { cloud, device in
            let folder = try await device.makeFolder("folder", in: .root)
            for number in 0..<Self.count {
                _ = try await device.create("\(number)", in: folder, "text \(number)")
            }
            try await device.host.waitForRest()
            try await device.host.evict(.root)
            let asked = device.network.fetches.count
            try await device.move(folder, to: .root, as: "pinned")
            while device.network.fetches.count == asked { try await device.wait(milliseconds: 10) }
            device.network.refusal = .serverUnreachable
            try await device.wait(seconds: 120)
            let before = device.network.fetches.count
            try await device.wait(seconds: 600)
            let calls = device.network.fetches.count - before
            #expect((8...25).contains(calls), "\(calls)")

            device.network.refusal = nil
            try await device.wait(seconds: 70)
            try await device.host.waitForRest()
            let residences = try device.nodes().filter { $0.node.kind == .file }
                .map(\.node.residence)
            #expect(residences.count == Self.count)
            #expect(residences.allSatisfy { $0 == .whole })
        }
    }

    @Test("is over for all of them as soon as the extension says so")
    func resolved() throws {
        try Stage.play { cloud, device in
            try await device.host.waitForRest()
            device.network.refusal = .serverUnreachable
            try await Self.fill(device)
            try await device.wait(seconds: 600)
            device.network.refusal = nil
            try await device.host.resolve(NSFileProviderError(.serverUnreachable))
            try await device.wait(seconds: 5)
            #expect(cloud.tree().count == Self.count)
        }
    }

    @Test("is not what keeps one file from coming, though it is said to be the same")
    func oneFile() throws {
        try Stage.play { cloud, device in
            let folder = try await device.makeFolder("folder", in: .root)
            _ = try await device.create("a", in: folder, "text")
            try await device.host.waitForRest()
            try await device.host.evict(.root)
            device.network.companion.fetchFailure = NSFileProviderError(.serverUnreachable)
            try await device.move(folder, to: .root, as: "pinned")
            // Nobody knows, before others were answered a few times.
            for name in ["w", "x", "y", "z"] {
                try await device.wait(seconds: 120)
                _ = try await device.create(name, in: .root, "text")
            }
            try await device.wait(seconds: 120)
            let before = device.network.fetches.count
            for number in 0..<60 {
                _ = try await device.create("\(number)", in: .root, "text \(number)")
                try await device.wait(seconds: 10)
                #expect(cloud.tree()["\(number)"] != nil)
            }
            let asked = device.network.fetches.count - before
            #expect((1...12).contains(asked), "\(asked)")

            device.network.companion.fetchFailure = nil
            try await device.host.resolve(NSFileProviderError(.serverUnreachable))
            try await device.host.waitForRest()
            #expect(
                try device.nodes().filter { $0.path == "pinned/a" }.map(\.node.residence) == [
                    .whole
                ])
        }
    }

    @Test("is not what stands in the way of one thing alone")
    func quota() throws {
        try Stage.play { cloud, device in
            try await device.host.waitForRest()
            device.network.refusal = .insufficientQuota
            _ = try await device.create("a", in: .root, "text")
            try await device.wait(seconds: 10)
            device.network.refusal = nil
            _ = try await device.create("b", in: .root, "text")
            try await device.wait(seconds: 5)
            #expect(cloud.tree() == ["b": "text"])
            try await device.wait(seconds: 100)
            #expect(cloud.tree() == ["a": "text", "b": "text"])
        }
    }

    @Test("is forgotten when somebody signals: what fails once more then is asked for again soon")
    func signalled() throws {
        try Stage.play { cloud, device in
            try await device.host.waitForRest()
            device.network.refusal = .serverUnreachable
            device.host.signal()
            try await device.wait(seconds: 7200)
            cloud.add("new", "text")
            try await device.wait(milliseconds: 200)
            device.network.refusal = nil
            try await device.wait(seconds: 5)
            #expect(try device.nodes().map(\.path) == ["new"])
        }
    }
}
