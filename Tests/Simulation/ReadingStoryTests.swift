import BasketSupport
import FileProvider
import FileProviderReplica
import Testing

@testable import FileProviderHost

@Suite("A program that reads on a device")
struct ReadingStoryTests {
    private static func write(_ text: String, to file: OpenFile) async throws {
        try await file.write(Array(text.utf8), at: 0)
    }

    private static func text(_ file: OpenFile) async throws -> String {
        String(decoding: try await file.read(at: 0, count: Int(file.size)), as: UTF8.self)
    }

    @Test(
        "gets the rest of what it has begun to read, whatever comes from elsewhere",
        arguments: [false, true])
    func rest(hasRead: Bool) throws {
        try Stage.play(inParts: true) { cloud, device in
            let text = "a text of which there is more than one part"
            let id = try await device.create("a", in: .root, text)
            try await device.host.waitForRest()
            try await device.host.evict(id)
            let file = try await device.open(id, for: .reading)
            if hasRead { #expect(try await file.read(at: 0, count: 6) == Array("a text".utf8)) }
            let before = device.network.fetched
            cloud.rewrite("a", "another one")
            try await device.host.waitForRest()
            try await device.wait(seconds: 30)

            #expect(try await Self.text(file) == text)
            #expect(device.network.fetched == before + text.utf8.count - (hasRead ? 8 : 0))
            #expect(try await device.text(of: id) == "another one")
            // Once more, it is here.
            cloud.forgetFormer()
            device.network.isCut = true
            #expect(try await Self.text(file) == text)
            try await file.close()
        }
    }

    @Test(
        "reads on in a file that was removed or replaced here, while the provider has what it was",
        arguments: [false, true])
    func removed(isReplaced: Bool) throws {
        try Stage.play(inParts: true) { cloud, device in
            cloud.keepFormer()
            let text = "a text of which there is more than one part"
            let id = try await device.create("a", in: .root, text)
            try await device.host.waitForRest()
            try await device.host.evict(id)
            let file = try await device.open(id, for: .reading)
            #expect(try await file.read(at: 0, count: 6) == Array("a text".utf8))
            if isReplaced {
                let other = try await device.create("b", in: .root, "another one")
                try await device.move(other, to: .root, as: "a")
            } else {
                try await device.remove(id)
            }
            try await device.host.waitForRest()
            #expect(cloud.tree() == (isReplaced ? ["a": "another one"] : [:]))
            #expect(try await file.read(at: 2, count: 10) == Array("text of wh".utf8))
            cloud.forgetFormer()
            await #expect(throws: LocalError.stale) { try await Self.text(file) }
            try await file.close()
        }
    }

    @Test("reads on when the file is removed while its bytes are on their way")
    func removedMeanwhile() throws {
        try Stage.play(inParts: true) { cloud, device in
            cloud.keepFormer()
            let text = "a text of which there is more than one part"
            let id = try await device.create("a", in: .root, text)
            try await device.host.waitForRest()
            try await device.host.evict(id)
            let files = [
                try await device.open(id, for: .reading), try await device.open(id, for: .reading),
            ]
            device.network.delay = .seconds(5)
            // One of them has the bytes fetched, and the other one waits for that.
            async let first = Self.text(files[0])
            async let second = Self.text(files[1])
            try await device.wait(seconds: 2)
            try await device.remove(id)
            #expect(try await [first, second] == [text, text])
            for file in files { try await file.close() }
        }
    }

    @Test("is told that what it has begun to read is gone only when the provider says so")
    func goneRest() throws {
        try Stage.play(inParts: true) { cloud, device in
            let text = "a text of which there is more than one part"
            let id = try await device.create("a", in: .root, text)
            try await device.host.waitForRest()
            try await device.host.evict(id)
            let file = try await device.open(id, for: .reading)
            #expect(try await file.read(at: 0, count: 6) == Array("a text".utf8))
            cloud.rewrite("a", "another one")
            try await device.host.waitForRest()
            device.network.isCut = true
            await #expect(throws: NSFileProviderError.self) { try await Self.text(file) }
            device.network.isCut = false
            cloud.forgetFormer()
            await #expect(throws: LocalError.stale) { try await Self.text(file) }
            #expect(try await file.read(at: 0, count: 6) == Array("a text".utf8))
            try await file.close()
        }
    }

    @Test("writes to what it has begun to read, and nothing that comes from elsewhere is lost")
    func changedRest() throws {
        try Stage.play(inParts: true) { cloud, device in
            let text = "a text of which there is more than one part"
            let id = try await device.create("a", in: .root, text)
            try await device.host.waitForRest()
            try await device.host.evict(id)
            let file = try await device.open(id, for: .writing)
            #expect(try await file.read(at: 0, count: 6) == Array("a text".utf8))
            cloud.rewrite("a", "another one")
            try await device.host.waitForRest()
            try await Self.write("A", to: file)
            try await file.close()
            try await device.host.waitForRest()
            #expect(Set(cloud.tree().values) == ["another one", "A" + text.dropFirst()])
        }
    }

    /// A folder of small files, none of them here.
    private static func folder(_ count: Int, on device: Device) async throws -> [NodeID] {
        let folder = try await device.makeFolder("folder", in: .root)
        var files: [NodeID] = []
        for number in 0..<count {
            files.append(try await device.create("\(100 + number)", in: folder, "\(number)"))
        }
        try await device.host.waitForRest()
        for file in files { try await device.host.evict(file) }
        return files
    }

    private static func here(_ files: [NodeID], on device: Device) throws -> Int {
        try files.filter { try device.residence(of: $0) == .whole }.count
    }

    @Test(
        "finds the files of a folder here that it reads one after another, and no more than some of them"
    )
    func filesAhead() throws {
        try Stage.play { cloud, device in
            let files = try await Self.folder(100, on: device)
            for file in files.prefix(2) { _ = try await device.text(of: file) }
            try await device.wait(seconds: 2)
            #expect(try Self.here(files, on: device) == 2)
            _ = try await device.text(of: files[2])
            try await device.wait(seconds: 2)
            #expect(try Self.here(files, on: device) == 15)
            #expect(try device.residence(of: files[14]) == .whole)
            // Whoever stops has nothing more brought here.
            try await device.wait(seconds: 60)
            #expect(try Self.here(files, on: device) == 15)
        }
    }

    @Test("finds them here also while programs change much, and what goes on by itself gives way")
    func aheadInBurst() throws {
        try Stage.play { cloud, device in
            let files = try await Self.folder(20, on: device)
            let world = device.replica.world
            let busy = world.spawn {
                while !Task.isCancelled {
                    device.host.noteLocalChange()
                    try? await world.sleep(.milliseconds(10))
                }
            }
            defer { busy.cancel() }
            try await device.wait(seconds: 1)
            for file in files.prefix(3) { _ = try await device.text(of: file) }
            try await world.sleep(.milliseconds(100))
            #expect(try Self.here(files, on: device) == 15)
        }
    }

    @Test("has each of the files that follow stand in line once, however it reads on")
    func onceAhead() throws {
        var settings = HostSettings()
        settings.smallDownloads = 1
        try Stage.play(settings: settings) { cloud, device in
            let files = try await Self.folder(100, on: device)
            for file in files.prefix(2) { _ = try await device.text(of: file) }
            device.network.delay = .seconds(10_000)
            for file in files[2..<9] {
                _ = device.replica.world.spawn { _ = try? await device.text(of: file) }
                try await device.wait(seconds: 1)
            }
            // Twelve behind the third file, and 36 behind the ninth; one of them is on its way.
            #expect(device.host.slots.waiting(in: .smallDownload) == 41)
        }
    }

    @Test("has nothing fetched ahead by an indexer, nor where room is tight")
    func noFilesAhead() throws {
        var settings = HostSettings()
        settings.contentLimits.most = 12
        try Stage.play(settings: settings) { cloud, device in
            let files = try await Self.folder(20, on: device)
            for id in files.prefix(5) {
                let file = try await device.open(id, for: .reading, by: "baloo_file")
                await #expect(throws: LocalError.dataless) { try await Self.text(file) }
                try await file.close()
            }
            try await device.wait(seconds: 5)
            #expect(try Self.here(files, on: device) == 0)
            for file in files.prefix(5) { _ = try await device.text(of: file) }
            try await device.wait(seconds: 5)
            #expect(try Self.here(files, on: device) == 5)
        }
    }
}
