import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Synchronization
import Testing

@Suite("A device's room")
struct RoomStoryTests {
    /// Files of ten bytes each, all at the provider, in the order in which they were used.
    private static func fill(_ device: Device, _ names: [String]) async throws -> [NodeID] {
        var files: [NodeID] = []
        for name in names {
            files.append(try await device.create(name, in: .root, "0123456789"))
            try await device.host.waitForRest()
            try await device.wait(seconds: 10)
        }
        return files
    }

    private static func here(_ device: Device) throws -> Set<String> {
        Set(try device.nodes().filter { $0.node.residence != .dataless }.map(\.path))
    }

    @Test("holds no more than it may: the longest unused goes first, and down to the low mark")
    func mostBytes() throws {
        var settings = HostSettings()
        settings.contentLimits.most = 50
        settings.contentLimits.lowMark = 0.6
        try Stage.play(settings: settings) { _, device in
            let files = try await Self.fill(device, ["a", "b", "c", "d"])
            // Reading is use.
            #expect(try await device.text(of: files[0]) == "0123456789")
            try await device.wait(seconds: 10)
            _ = try await Self.fill(device, ["e", "f"])
            try await device.wait(seconds: 10)
            #expect(try Self.here(device) == ["a", "e", "f"])
            #expect(try device.replica.read { try $0.bytesHere() } == 30)
        }
    }

    @Test("holds no more than its person says by now")
    func chosen() throws {
        let choices = Mutex<PersonalChoices?>(nil)
        var settings = HostSettings()
        settings.choices = { choices.withLock { $0 } }
        try Stage.play(settings: settings) { _, device in
            let files = try await Self.fill(device, ["a", "b", "c", "d"])
            #expect(try Self.here(device).count == 4)
            var limits = ContentLimits()
            (limits.most, limits.lowMark) = (25, 1)
            choices.withLock { $0 = PersonalChoices(limits: limits) }
            device.host.signal()
            try await device.wait(seconds: 20)
            #expect(try Self.here(device) == ["c", "d"])
            // What cannot be read changes nothing.
            choices.withLock { $0 = nil }
            #expect(try await device.text(of: files[0]) == "0123456789")
            try await device.wait(seconds: 20)
            #expect(try Self.here(device) == ["a", "d"])
            choices.withLock { $0 = PersonalChoices() }
            device.host.signal()
            try await device.wait(seconds: 20)
            for file in files { _ = try await device.text(of: file) }
            #expect(try Self.here(device).count == 4)
        }
    }

    @Test("makes room before anything is brought here, and refuses what there is none for")
    func roomForFetches() throws {
        var settings = HostSettings()
        settings.contentLimits.most = 25
        settings.contentLimits.lowMark = 1
        try Stage.play(settings: settings) { cloud, device in
            let files = try await Self.fill(device, ["a", "b"])
            for file in files { try await device.host.evict(file) }
            for file in files { _ = try await device.text(of: file) }
            #expect(try Self.here(device) == ["a", "b"])
            // What only this device has stays, whatever room it takes.
            device.network.isCut = true
            _ = try await device.create("c", in: .root, "0123456789abcdefghij")
            try await device.wait(seconds: 30)
            #expect(try Self.here(device) == ["c"])
            device.network.isCut = false
            await #expect(throws: LocalError.noRoom) { try await device.text(of: files[0]) }
            device.reconnect()
            try await device.host.waitForRest()
            try await device.wait(seconds: 30)
            #expect(try await device.text(of: files[0]) == "0123456789")
            #expect(try Self.here(device) == ["a"])
        }
    }

    @Test("lets go of what can be fetched again when a program writes to a full disk")
    func fullDisk() throws {
        var settings = HostSettings()
        settings.contentLimits.leastFree = 0
        try Stage.play(settings: settings) { cloud, device in
            _ = try await Self.fill(device, ["a", "b"])
            let written = try await device.create("c", in: .root, "0123456789")
            try await device.host.waitForRest()
            device.fillDisk(leaving: 5)

            let file = try await device.open(written, for: .writing)
            try await file.write(Array("ABCDEF".utf8), at: 10)
            #expect(try Self.here(device) == ["c"])
            // Nothing else can go now.
            await #expect(throws: FileError.self) {
                try await file.write([UInt8](repeating: 65, count: 100), at: 16)
            }
            #expect(try await file.read(at: 0, count: 100) == Array("0123456789ABCDEF".utf8))
            try await file.close()
            try await device.host.waitForRest()
            #expect(cloud.tree()["c"] == "0123456789ABCDEF")
        }
    }

    @Test("writes a file anew in its place, also where there is no room to note anything at it")
    func replacing() throws {
        var settings = HostSettings()
        settings.contentLimits.leastFree = 0
        try Stage.play(settings: settings) { cloud, device in
            _ = try await Self.fill(device, ["a", "b"])
            let written = try await device.create("c", in: .root, "0123456789")
            try await device.host.waitForRest()
            device.fillDisk(leaving: 0)

            try await device.write("another", to: written)
            try await device.host.waitForRest()

            #expect(cloud.tree() == ["a": "0123456789", "b": "0123456789", "c": "another"])
        }
    }

    @Test("says how much of what is appended it has, where there is no room for the rest")
    func appendedInPart() throws {
        var settings = HostSettings()
        settings.contentLimits.leastFree = 0
        try Stage.play(settings: settings) { cloud, device in
            let log = try await device.create("log", in: .root, "")
            let file = try await device.open(log, for: .writing)
            try await file.append(Array("A".utf8))
            device.fillDisk(leaving: 3)
            device.disk.writesParts = true
            let part = try await file.append(Array("BCDEF".utf8))
            #expect(part == (1, 3))
            await #expect(throws: FileError.self) { try await file.append(Array("EF".utf8)) }
            device.fillDisk(leaving: 100)
            #expect(try await file.append(Array("EF".utf8)) == (4, 2))
            try await file.close()
            try await device.host.waitForRest()
            #expect(cloud.tree()["log"] == "ABCDEF")
        }
    }

    @Test("has what is appended once, also when there was room only for some of it at first")
    func append() throws {
        var settings = HostSettings()
        settings.contentLimits.leastFree = 0
        try Stage.play(settings: settings) { cloud, device in
            _ = try await Self.fill(device, ["a", "b"])
            let written = try await device.create("c", in: .root, "0123456789")
            try await device.host.waitForRest()
            let file = try await device.open(written, for: .writing)
            try await file.append(Array("A".utf8))
            device.disk.writesParts = true
            device.fillDisk(leaving: 3)

            try await file.append(Array("BCDEF".utf8))
            #expect(try Self.here(device) == ["c"])
            try await file.close()
            try await device.host.waitForRest()
            #expect(cloud.tree()["c"] == "0123456789ABCDEF")
        }
    }

    @Test("counts what nobody has any more but who has it open")
    func besides() throws {
        var settings = HostSettings()
        settings.contentLimits.most = 60
        settings.contentLimits.lowMark = 1
        try Stage.play(inParts: true, settings: settings) { cloud, device in
            let text = "0123456789012345678901234567890123456789"
            let id = try await device.create("a", in: .root, text)
            try await device.host.waitForRest()
            try await device.host.evict(id)
            let file = try await device.open(id, for: .reading)
            #expect(try await file.read(at: 0, count: 4) == Array("0123".utf8))
            cloud.rewrite("a", "x")
            try await device.host.waitForRest()
            #expect(try await file.read(at: 0, count: 40) == Array(text.utf8))
            _ = try await Self.fill(device, ["b", "c"])
            #expect(try Self.here(device) == ["b", "c"])
            _ = try await Self.fill(device, ["d"])
            try await device.wait(seconds: 30)
            #expect(try Self.here(device) == ["c", "d"])
            // Once it is closed, there is room again.
            try await file.close()
            _ = try await Self.fill(device, ["e", "f", "g", "h"])
            try await device.wait(seconds: 30)
            #expect(try Self.here(device) == ["c", "d", "e", "f", "g", "h"])
        }
    }

    @Test("keeps what is pinned, and what somebody has open")
    func kept() throws {
        var settings = HostSettings()
        settings.contentLimits.most = 20
        settings.contentLimits.lowMark = 0.5
        try Stage.play(settings: settings) { _, device in
            let pinned = try await device.makeFolder("pinned", in: .root)
            let kept = try await device.create("kept", in: pinned, "0123456789")
            try await device.host.waitForRest()
            let open = try await device.open(
                try await device.create("open", in: .root, "0123456789"), for: .reading)
            let other = try await device.create("other", in: .root, "0123456789")
            try await device.host.waitForRest()
            try await device.wait(seconds: 30)
            #expect(try device.residence(of: kept) == .whole)
            #expect(try device.residence(of: open.node) == .whole)
            #expect(try device.residence(of: other) == .dataless)
            await #expect(throws: (any Error).self) { try await device.host.evict(open.node) }
            try await open.close()
            try await device.host.evict(open.node)
            #expect(try device.residence(of: open.node) == .dataless)
        }
    }

    @Test("is made of what can go, however much there is that cannot and was unused for longer")
    func passedOver() throws {
        var settings = HostSettings()
        settings.contentLimits.most = 60
        settings.contentLimits.lowMark = 1
        try Stage.play(settings: settings) { _, device in
            let pinned = try await device.makeFolder("pinned", in: .root)
            for name in ["a", "b", "c"] {
                _ = try await device.create(name, in: pinned, "0123456789")
            }
            try await device.host.waitForRest()
            try await device.wait(seconds: 10)
            let files = try await Self.fill(device, ["d", "e", "f", "g"])
            #expect(try await device.text(of: files[0]) == "0123456789")
            #expect(try device.replica.read { try $0.bytesHere() } == 60)
        }
    }

    @Test("lets go of what nobody has used for long")
    func age() throws {
        var settings = HostSettings()
        settings.contentLimits.longestUnused = .seconds(3600)
        try Stage.play(settings: settings) { _, device in
            let files = try await Self.fill(device, ["a", "b"])
            try await device.wait(seconds: 3000)
            _ = try await device.text(of: files[1])
            try await device.wait(seconds: 1300)
            #expect(try Self.here(device) == ["b"])
        }
    }

    @Test("takes for used what somebody has had brought here again", arguments: [false, true])
    func broughtAgain(inParts: Bool) throws {
        var settings = HostSettings()
        settings.contentLimits.longestUnused = .seconds(3600)
        try Stage.play(inParts: inParts, settings: settings) { _, device in
            let files = try await Self.fill(device, ["a", "b"])
            try await device.wait(seconds: 5000)
            #expect(try Self.here(device) == [])
            try await device.host.requestDownload(of: files[0])
            try await device.wait(seconds: 1300)
            #expect(try Self.here(device) == ["a"])
            try await device.wait(seconds: 4000)
            #expect(try Self.here(device) == [])
        }
    }

    @Test("takes for used that of which somebody has had the rest brought here")
    func broughtRest() throws {
        var settings = HostSettings()
        settings.contentLimits.longestUnused = .seconds(3600)
        try Stage.play(inParts: true, settings: settings) { cloud, device in
            cloud.add("a", String(repeating: "0123456789", count: 4))
            try await device.host.waitForRest()
            let file = try #require(try device.nodes().first).node.id
            try await device.host.materialise(0..<4, of: file)
            try await device.wait(seconds: 3000)
            #expect(try device.residence(of: file) == .partial)
            try await device.host.requestDownload(of: file)
            try await device.wait(seconds: 1300)
            #expect(try device.residence(of: file) == .whole)
        }
    }

    @Test("does not take for used what is only brought up to date")
    func upToDate() throws {
        var settings = HostSettings()
        settings.contentLimits.longestUnused = .seconds(3600)
        try Stage.play(settings: settings) { cloud, device in
            let files = try await Self.fill(device, ["a"])
            try await device.wait(seconds: 2500)
            cloud.rewrite("a", "9876543210")
            try await device.wait(seconds: 500)
            #expect(try device.residence(of: files[0]) == .whole)
            try await device.wait(seconds: 1300)
            #expect(try Self.here(device) == [])
        }
    }

    @Test("counts what something was before, and lets go of it", arguments: [false, true])
    func before(isPinned: Bool) throws {
        var settings = HostSettings()
        settings.contentLimits.most = 25
        settings.contentLimits.lowMark = 1
        try Stage.play(settings: settings) { cloud, device in
            let name = isPinned ? "pinned" : "a"
            let files = try await Self.fill(device, [name, "b", "c"])
            for file in files[1...] { try await device.host.evict(file) }
            #expect(try await device.text(of: files[0]) == "0123456789")
            device.network.companion.fetchFailure = CocoaError(.fileReadUnknown)
            cloud.rewrite(name, "abcdefghij")
            try await device.wait(seconds: 10)
            #expect(try device.residence(of: files[0]) == .dataless)
            #expect(try device.replica.read { try $0.bytesHere() } == 10)

            device.network.companion.fetchFailure = nil
            for file in files[1...] {
                #expect(try await device.text(of: file) == "0123456789")
            }
            #expect(try device.replica.read { try $0.bytesHere() } == 20)
            #expect(try await device.text(of: files[0]) == "abcdefghij")
        }
    }

    @Test("leaves some of the disk to others, and a twentieth of it at most")
    func freeDisk() throws {
        try Stage.play { _, device in
            device.disk.fill(1000, others: 0)
            let files = try await Self.fill(device, ["a", "b", "c", "d"])
            try await device.wait(seconds: 700)
            #expect(try Self.here(device) == ["a", "b", "c", "d"])
            // Fifty bytes are to be free, and thirty are.
            device.disk.fill(1000, others: 930)
            try await device.wait(seconds: 700)
            #expect(try Self.here(device) == ["c", "d"])
            device.disk.fill(1000, others: 980)
            await #expect(throws: LocalError.noRoom) { try await device.text(of: files[0]) }
            #expect(try Self.here(device).isEmpty)
            device.disk.fill(1000, others: 940)
            try await device.wait(seconds: 20)
            #expect(try await device.text(of: files[0]) == "0123456789")
        }
    }

    @Test("leaves to others what is said, where that is less than a twentieth")
    func leastFree() throws {
        var settings = HostSettings()
        settings.contentLimits.leastFree = 25
        try Stage.play(settings: settings) { _, device in
            device.disk.fill(1000, others: 0)
            _ = try await Self.fill(device, ["a", "b", "c", "d"])
            device.disk.fill(1000, others: 940)
            try await device.wait(seconds: 700)
            #expect(try Self.here(device) == ["b", "c", "d"])
        }
    }
}
