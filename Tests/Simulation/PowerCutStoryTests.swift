import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Testing

@Suite("What only a device has, when the power fails while it is written over,")
struct PowerCutStoryTests {
    /// A file with a text that is on the disk and nowhere else, though it was to be sent.
    private static func begin(
        _ device: Device, known: Bool, as name: String = "a"
    ) async throws -> NodeID {
        try await device.host.waitForRest()
        if !known { device.network.isCut = true }
        let file = try await device.create(name, in: .root, known ? "old" : "the first text")
        if known {
            try await device.host.waitForRest()
            device.network.isCut = true
            try await device.write("the first text", to: file)
        }
        // It is tried, in vain.
        try await device.wait(seconds: 5)
        try await device.replica.synchronise()
        return file
    }

    private static func end(_ device: Device, leaving length: Int) async throws {
        try device.crash(leaving: length)
        device.network.isCut = false
        try await device.start()
        try await device.host.waitForRest()
        try await device.replica.removeDiscarded()
        #expect(try device.orphans().isEmpty)
    }

    @Test("is there as it was, beside what is left", arguments: [false, true], [0, 5])
    func written(known: Bool, length: Int) throws {
        try Stage.play { cloud, device in
            let file = try await Self.begin(device, known: known)
            try await device.write("another text", to: file)
            try await Self.end(device, leaving: length)
            var texts = ["a": "the first text"]
            if length > 0 { texts["a (damaged 2027-01-15)"] = "anoth" }
            #expect(cloud.tree() == texts)
        }
    }

    @Test(
        "more than once, is there as it was on the disk, though the provider may have something newer"
    )
    func writtenTwice() throws {
        try Stage.play { cloud, device in
            let file = try await Self.begin(device, known: false)
            for text in ["a second text", "a third text"] {
                try await device.write(text, to: file)
                // It is handed over.
                try await device.replica.write { _ = try $0.update(file) { $0.isFrozen = true } }
            }
            try await Self.end(device, leaving: 3)
            #expect(cloud.tree().values.contains("the first text"))
        }
    }

    @Test("is not sent in place of what the provider has got since then")
    func handedOver() throws {
        try Stage.play { cloud, device in
            let file = try await Self.begin(device, known: true)
            try await device.write("another text", to: file)
            device.network.companion.pauseBeforeAnswers = .seconds(60)
            device.network.isCut = false
            device.reconnect()
            while cloud.tree()["a"] != "another text" { try await device.wait(milliseconds: 10) }
            try device.crash(leaving: 5)
            device.network.companion.pauseBeforeAnswers = nil
            try await device.start()
            try await device.host.waitForRest()
            #expect(cloud.tree()["a"] == "another text")
            #expect(cloud.tree()["a (recovered 2027-01-15)"] == "the first text")
        }
    }

    @Test("by way of another file, is there as it was", arguments: [false, true])
    func saved(known: Bool) throws {
        try Stage.play { cloud, device in
            _ = try await Self.begin(device, known: known)
            let draft = try await device.create("draft", in: .root, "another text")
            try await device.move(draft, to: .root, as: "a")
            try await Self.end(device, leaving: 5)
            #expect(
                cloud.tree() == ["a": "the first text", "a (damaged 2027-01-15)": "anoth"])
        }
    }

    @Test("by way of other files more than once, is there as it was")
    func savedTwice() throws {
        try Stage.play { cloud, device in
            _ = try await Self.begin(device, known: false)
            for number in 0..<2 {
                let draft = try await device.create("draft", in: .root, "text \(number) of many")
                try await device.move(draft, to: .root, as: "a")
            }
            try await Self.end(device, leaving: 5)
            #expect(cloud.tree().values.contains("the first text"))
        }
    }

    @Test("though it stays there, is there as it was")
    func excluded() throws {
        try Stage.play { _, device in
            let file = try await Self.begin(device, known: false, as: "n.local")
            device.network.isCut = false
            try await device.host.waitForRest()
            try await device.replica.synchronise()
            try await device.write("another text", to: file)
            try await Self.end(device, leaving: 0)
            #expect(try await device.text(of: file) == "the first text")
        }
    }

    /// Somewhere behind a hole.
    private static let far: Int64 = 1 << 20

    @Test(
        "is what a program was told is on the disk, whatever is not in it, or was added since then")
    func proven() throws {
        try Stage.play { cloud, device in
            let file = try await Self.begin(device, known: true)
            let open = try await device.open(file, for: .writing)
            try await open.write(Array("!".utf8), at: Self.far)
            try await open.synchronise()
            try await open.write(Array("more".utf8), at: Self.far + 1)
            try await open.close()
            try await Self.end(device, leaving: Int(Self.far) + 3)
            #expect(Set(cloud.tree().keys) == ["a"])
            #expect(cloud.tree()["a"]?.utf8.count == Int(Self.far) + 3)
        }
    }

    @Test("is not what was there before where that was never on the disk either")
    func formerWithHoles() throws {
        try Stage.play { cloud, device in
            let file = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            try await device.replica.synchronise()
            device.network.isCut = true
            let open = try await device.open(file, for: .writing)
            try await open.write(Array("!".utf8), at: Self.far)
            try await open.close()
            let draft = try await device.create("draft", in: .root, "another text")
            let number = try #require(try device.replica.read { try $0.node(draft)?.file })
            let path = device.replica.contents.path(number)
            try await device.move(draft, to: .root, as: "a")
            try device.crash(leaving: .max)
            try device.disk.openToChange(path).resize(to: 5)
            device.network.isCut = false
            try await device.start()
            try await device.host.waitForRest()
            #expect(
                cloud.tree() == ["a": "the first text", "a (damaged 2027-01-15)": "anoth"])
        }
    }

    @Test("and is refused, is kept aside beside what is left")
    func refused() throws {
        try Stage.play { cloud, device in
            let file = try await Self.begin(device, known: false)
            try await device.write("another text", to: file)
            try await device.replica.write { try $0.refuse(file) }
            #expect(try await device.textsKeptHere() == ["another text"])
            try await Self.end(device, leaving: 5)
            #expect(try await device.textsKeptHere().sorted() == ["anoth", "the first text"])
            #expect(cloud.tree().isEmpty)
        }
    }

    @Test("takes no room once the new one is on the disk", arguments: [false, true])
    func durable(known: Bool) throws {
        try Stage.play { cloud, device in
            let file = try await Self.begin(device, known: known)
            let before = try device.replica.read { try $0.node(file)?.file }
            let former = try #require(before)
            try await device.write("another text", to: file)
            #expect(try device.replica.read { try $0.isNamed(former) })
            try await device.replica.synchronise()
            #expect(try !device.replica.read { try $0.isNamed(former) })
            try await Self.end(device, leaving: 5)
            #expect(cloud.tree() == ["a": "another text"])
        }
    }

    @Test(
        "is there as it was also where what was written over it lost to somebody else's meanwhile")
    func lostRace() throws {
        try Stage.play { cloud, device in
            let file = try await Self.begin(device, known: true, as: "strict")
            try await device.write("another text", to: file)
            cloud.rewrite("strict", "theirs")
            device.network.isCut = false
            device.reconnect()
            while try device.nodes().count < 2 { try await device.wait(milliseconds: 1) }
            device.network.isCut = true
            #expect(cloud.tree().count == 1)
            try await Self.end(device, leaving: 5)
            #expect(cloud.tree()["strict"] == "theirs")
            #expect(cloud.tree().values.contains("the first text"))
        }
    }
}
