import FileProvider
import FileProviderHost
import FileProviderReplica
import Testing

@Suite("What the provider has, when the power fails while it is replaced,")
struct ReplacedStoryTests {
    private static let editor = Program(name: "editor")

    /// A file, and a draft that the provider knows as well and that was written to since then; both are not on the disk.
    private static func begin(
        _ device: Device, isHere: Bool
    ) async throws -> (file: NodeID, draft: NodeID) {
        let file = try await device.create("a", in: .root, "the first text")
        let draft = try await device.create("draft", in: .root, "a draft")
        try await device.host.waitForRest()
        try await device.replica.synchronise()
        if !isHere { try await device.host.evict(file) }
        device.network.isCut = true
        try await device.write("another text", to: draft)
        return (file, draft)
    }

    @Test(
        "is there as it was, or as it is then, whether or not it was here",
        arguments: [true, false])
    func saved(isHere: Bool) throws {
        try Stage.play { cloud, device in
            let (_, draft) = try await Self.begin(device, isHere: isHere)
            try await device.move(draft, to: .root, as: "a")
            try await device.replica.makeCommitsDurable()
            try device.crash(leaving: 5)
            device.network.isCut = false
            try await device.start()
            try await device.host.waitForRest()
            var texts = ["a": "another text"]
            if isHere { texts = ["a": "the first text", "a (damaged 2027-01-15)": "anoth"] }
            #expect(cloud.tree() == texts)
            #expect(try device.orphans().isEmpty)
        }
    }

    @Test("takes no room here once the new one is on the disk")
    func durable() throws {
        try Stage.play { cloud, device in
            let (file, draft) = try await Self.begin(device, isHere: true)
            let former = try #require(try device.replica.read { try $0.node(file)?.file })
            try await device.move(draft, to: .root, as: "a")
            #expect(try device.replica.read { try $0.isNamed(former) })
            try await device.replica.synchronise()
            #expect(try !device.replica.read { try $0.isNamed(former) })
            device.network.isCut = false
            try await device.host.waitForRest()
            #expect(cloud.tree() == ["a": "another text"])
        }
    }

    @Test("is not empty, as who had begun to write it anew had not come far")
    func begun() throws {
        try Stage.play { cloud, device in
            let id = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            try await device.replica.synchronise()
            let file = try await device.host.open(id, for: .replacing, by: Self.editor)
            try await file.resize(to: 0)
            try await device.replica.makeCommitsDurable()
            try device.crash(leaving: 0)
            try await device.start()
            try await device.host.waitForRest()
            #expect(try await device.text(of: id) == "the first text")
            #expect(cloud.tree() == ["a": "the first text"])
        }
    }

    @Test("is empty where a program was told that this is on the disk")
    func emptiedSafely() throws {
        try Stage.play { cloud, device in
            let id = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            let file = try await device.host.open(id, for: .replacing, by: Self.editor)
            try await file.resize(to: 0)
            try await file.synchronise()
            try device.crash(leaving: 0)
            try await device.start()
            try await device.host.waitForRest()
            #expect(cloud.tree() == ["a": ""])
        }
    }

    @Test("is empty where somebody has emptied it")
    func emptied() throws {
        try Stage.play { cloud, device in
            let id = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            try await device.write("", to: id)
            try await device.replica.makeCommitsDurable()
            try device.crash(leaving: 0)
            try await device.start()
            try await device.host.waitForRest()
            #expect(cloud.tree() == ["a": ""])
        }
    }
}
