import BasketSupport
import FileProvider
import FileProviderReplica
import Testing

@testable import FileProviderHost

@Suite("A program on a device")
struct OpenFileStoryTests {
    private static func write(_ text: String, to file: OpenFile) async throws {
        try await file.write(Array(text.utf8), at: 0)
    }

    private static func text(_ file: OpenFile) async throws -> String {
        String(decoding: try await file.read(at: 0, count: Int(file.size)), as: UTF8.self)
    }

    @Test("has what it writes sent when it closes the file, or leaves it alone for a while")
    func quietMoments() throws {
        try Stage.play { cloud, device in
            let file = try await device.host.create(
                "a", in: .root, by: Program(name: "editor"))
            try await Self.write("the first text", to: file)
            try await device.wait(seconds: 3)
            #expect(cloud.tree().isEmpty)
            try await device.wait(seconds: 4)
            #expect(cloud.tree() == ["a": "the first text"])
            try await Self.write("THE", to: file)
            try await device.wait(seconds: 1)
            #expect(cloud.tree() == ["a": "the first text"])
            try await file.close()
            try await device.host.waitForRest()
            #expect(cloud.tree() == ["a": "THE first text"])
            #expect(cloud.versions(of: "a") == 2)
        }
    }

    @Test("has what it writes on and on sent now and then")
    func endlessWriting() throws {
        try Stage.play { cloud, device in
            let file = try await device.host.create("log", in: .root, by: Program(name: "logger"))
            var length = 0
            for _ in 0..<400 {
                try await file.change { try $0.write([46], at: Int64(length)) }
                length += 1
                try await device.wait(seconds: 1)
            }
            let sent = cloud.tree()["log"]?.count ?? 0
            #expect((290...310).contains(sent))
            try await file.close()
            try await device.host.waitForRest()
            #expect(cloud.tree()["log"]?.count == 400)
        }
    }

    @Test("goes on reading what it has begun to read, whatever comes from elsewhere")
    func steadyReading() throws {
        try Stage.play { cloud, device in
            let id = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            let file = try await device.open(id, for: .reading)
            #expect(try await file.read(at: 0, count: 3) == Array("the".utf8))
            cloud.rewrite("a", "another one, which is longer")
            try await device.host.waitForRest()
            try await device.wait(seconds: 30)
            #expect(try await Self.text(file) == "the first text")
            #expect(try await device.text(of: id) == "another one, which is longer")
            try await file.close()
        }
    }

    @Test("changes what it has seen: what has come from elsewhere since then is not written over")
    func seenBase() throws {
        try Stage.play { cloud, device in
            let id = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            let file = try await device.open(id, for: .writing)
            #expect(try await Self.text(file) == "the first text")
            cloud.rewrite("a", "another one")
            try await device.host.waitForRest()
            try await Self.write("THE", to: file)
            try await file.close()
            try await device.host.waitForRest()
            #expect(Set(cloud.tree().values) == ["another one", "THE first text"])
            // What it writes next, it has seen.
            let again = try await device.open(id, for: .writing)
            #expect(try await Self.text(again) == "another one")
            try await Self.write("AND", to: again)
            try await again.close()
            try await device.host.waitForRest()
            #expect(Set(cloud.tree().values) == ["ANDther one", "THE first text"])
        }
    }

    @Test(
        "finds what it has written when the system died in the middle of it",
        arguments: [false, true])
    func deadSystem(isSent: Bool) throws {
        try Stage.play { cloud, device in
            let file = try await device.host.create("a", in: .root, by: Program(name: "editor"))
            try await Self.write("the first text", to: file)
            if isSent { try await device.wait(seconds: 10) }
            try await file.write(Array(", and more".utf8), at: 14)
            device.kill()
            try await device.start()
            try await device.host.waitForRest()
            #expect(cloud.tree() == ["a": "the first text, and more"])
            let id = try device.nodes()[0].node.id
            #expect(try await device.text(of: id) == "the first text, and more")
        }
    }

    @Test("finds what it was told is on the disk where no other name is", arguments: [false, true])
    func durableNames(isOpen: Bool) throws {
        try Stage.play(forgetsNames: true) { cloud, device in
            device.network.isCut = true
            let file = try await device.host.create("a", in: .root, by: Program(name: "editor"))
            try await Self.write("the first text", to: file)
            if !isOpen { try await file.close() }
            try await isOpen ? file.synchronise() : device.synchronise(file.node)
            try device.crash(leaving: 0)
            device.network.isCut = false
            try await device.start()
            try await device.host.waitForRest()
            #expect(cloud.tree() == ["a": "the first text"])
        }
    }

    @Test("finds what it was told is on the disk when the power has failed")
    func powerCut() throws {
        try Stage.play { cloud, device in
            let id = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            try await device.replica.synchronise()
            device.network.isCut = true
            let file = try await device.open(id, for: .writing)
            try await Self.write("THE FIRST TEXT", to: file)
            try await file.synchronise()
            try device.crash(leaving: 0)
            device.network.isCut = false
            try await device.start()
            try await device.host.waitForRest()
            #expect(cloud.tree() == ["a": "THE FIRST TEXT"])
        }
    }

    @Test("writes for nobody once the file is removed or replaced, and harms nobody")
    func removedWhileOpen() throws {
        try Stage.play { cloud, device in
            let id = try await device.create("a", in: .root, "the first text")
            let other = try await device.create("b", in: .root, "another text")
            try await device.host.waitForRest()
            let removed = try await device.open(id, for: .writing)
            let replaced = try await device.open(other, for: .writing)
            try await Self.write("one", to: removed)
            try await device.remove(id)
            let new = try await device.create("c", in: .root, "a new text")
            try await device.move(new, to: .root, as: "b")
            try await Self.write("THE", to: removed)
            try await Self.write("ANOTHER", to: replaced)
            #expect(try await Self.text(removed) == "THE first text")
            #expect(try await Self.text(replaced) == "ANOTHER text")
            #expect(removed.isRemoved && replaced.isRemoved)
            try await removed.close()
            try await replaced.close()
            try await device.host.waitForRest()
            #expect(cloud.tree() == ["b": "a new text"])
            #expect(cloud.versions(of: "b") == 2)
        }
    }

    @Test("reads and writes on in what it has written and removed, as in any temporary file")
    func temporaryFile() throws {
        try Stage.play { cloud, device in
            let file = try await device.host.create("a", in: .root, by: Program(name: "sorter"))
            try await Self.write("a text of some length", to: file)
            try await device.remove(file.node)
            #expect(try await Self.text(file) == "a text of some length")
            try await file.write(Array(", and more".utf8), at: 21)
            #expect(try await Self.text(file) == "a text of some length, and more")
            try await file.close()
            try await device.host.waitForRest()
            #expect(cloud.tree().isEmpty)
        }
    }

    @Test("is not done while nothing was written yet, whatever else is said of the file")
    func redirection() throws {
        try Stage.play { cloud, device in
            let id = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            let file = try await device.open(id, for: .replacing)
            try await device.host.setAttributes(of: id) { $0.tags = nil }
            try await device.wait(seconds: 3)
            #expect(cloud.tree() == ["a": "the first text"])
            try await Self.write("what the command says", to: file)
            try await file.close()
            try await device.host.waitForRest()
            #expect(cloud.tree() == ["a": "what the command says"])
            #expect(cloud.versions(of: "a") == 2)
        }
    }

    @Test("need not wait for others that change large files, however many they are")
    func manyWriters() throws {
        try Stage.play(inParts: true) { cloud, device in
            let text = "a text of which there is more than one part"
            var files: [NodeID] = []
            for number in 0..<40 {
                files.append(try await device.create("\(number)", in: .root, text))
            }
            try await device.host.waitForRest()
            for file in files { try await device.host.evict(file) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for id in files {
                    group.addTask {
                        let file = try await device.open(id, for: .writing)
                        try await Self.write("A", to: file)
                        try await file.close()
                    }
                }
                try await group.waitForAll()
            }
            try await device.host.waitForRest()
            #expect(Set(cloud.tree().values) == ["A" + text.dropFirst()])
        }
    }

    @Test("goes on with a file that took another one's name, and has it sent")
    func renamedWhileOpen() throws {
        try Stage.play { cloud, device in
            _ = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            let file = try await device.host.create("a.new", in: .root, by: Program(name: "editor"))
            try await Self.write("the second", to: file)
            try await device.move(file.node, to: .root, as: "a")
            try await file.write(Array(" text".utf8), at: 10)
            try await file.close()
            try await device.host.waitForRest()
            #expect(cloud.tree() == ["a": "the second text"])
            #expect(cloud.versions(of: "a") == 2)
        }
    }

    @Test("does not write over what only this device has, and it has not seen")
    func onlyHere() throws {
        try Stage.play { cloud, device in
            let id = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            let file = try await device.open(id, for: .writing)
            _ = try await Self.text(file)
            cloud.rewrite("a", "from elsewhere")
            try await device.wait(seconds: 10)
            try await device.move(id, to: .root, as: "a.local")
            try await device.wait(seconds: 60)
            #expect(cloud.tree().isEmpty)
            try await Self.write("THE", to: file)
            try await file.close()
            try await device.host.waitForRest()
            #expect(
                try await Set(device.textsKeptHere()) == ["from elsewhere", "THE first text"])
        }
    }

    @Test("writes to a file that somebody has deleted elsewhere, and finds it again")
    func deletedElsewhere() throws {
        try Stage.play { cloud, device in
            let id = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            let file = try await device.open(id, for: .writing)
            _ = try await Self.text(file)
            cloud.remove("a")
            try await device.host.waitForRest()
            #expect(try device.nodes().isEmpty)
            try await Self.write("THE", to: file)
            try await file.close()
            try await device.host.waitForRest()
            #expect(cloud.tree() == ["a": "THE first text"])
        }
    }

    @Test("has no more brought here than it reads, until it reads on and on")
    func intent() throws {
        try Stage.play(inParts: true) { cloud, device in
            let text = String((0..<20).flatMap { "line \($0 + 100)\n" })
            let id = try await device.create("a", in: .root, text)
            try await device.host.waitForRest()
            try await device.host.evict(id)
            let file = try await device.open(id, for: .reading, by: "pager")
            #expect(try await file.read(at: 0, count: 4) == Array("line".utf8))
            try await device.wait(seconds: 60)
            #expect(device.network.fetched == 4)
            #expect(
                try await file.read(at: 100, count: 4) == Array(text.utf8.dropFirst(100).prefix(4)))
            try await device.wait(seconds: 60)
            #expect(device.network.fetched == 8)
            for offset in stride(from: 100, to: 120, by: 4) {
                _ = try await file.read(at: Int64(offset), count: 4)
            }
            try await device.wait(seconds: 60)
            #expect(try device.residence(of: id) == .whole)
            #expect(device.network.fetched == text.utf8.count)
            try await file.close()
            let hydrations = try device.replica.read { try $0.hydrations(limit: 10) }
            #expect(hydrations.map(\.bytes).reduce(0, +) == Int64(text.utf8.count))
            #expect(Set(hydrations.map(\.program)) == ["pager", nil])
        }
    }

    @Test("has nothing brought here when it is one that looks into every file")
    func indexers() throws {
        try Stage.play { cloud, device in
            let id = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            let here = try await device.open(id, for: .reading, by: "baloo_file")
            #expect(try await Self.text(here) == "the first text")
            try await here.close()
            try await device.host.evict(id)
            let file = try await device.open(id, for: .reading, by: "baloo_file_extr")
            await #expect(throws: LocalError.dataless) { try await Self.text(file) }
            try await file.close()
            #expect(try device.residence(of: id) == .dataless)
        }
    }

    @Test("gets bytes that two programs wait for once")
    func sharedParts() throws {
        try Stage.play(inParts: true) { cloud, device in
            let text = "a text of which there is more than one part"
            let id = try await device.create("a", in: .root, text)
            try await device.host.waitForRest()
            try await device.host.evict(id)
            device.network.delay = .seconds(5)
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<5 { group.addTask { try await device.text(of: id) } }
                for try await read in group { #expect(read == text) }
            }
            #expect(device.network.fetched == text.utf8.count)
        }
    }

    @Test("has what it wrote sent also when closing the file failed")
    func failedClose() throws {
        try Stage.play { cloud, device in
            let id = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            let file = try await device.open(id, for: .replacing)
            try await Self.write("the second text", to: file)
            device.disk.isFailing = true
            await #expect(throws: (any Error).self) { try await file.close() }
            try await device.wait(seconds: 100)
            #expect(cloud.tree() == ["a": "the first text"])
            device.disk.isFailing = false
            try await device.wait(seconds: 700)
            #expect(cloud.tree() == ["a": "the second text"])
            #expect(try device.host.isAtRest())
            #expect(try await device.text(of: id) == "the second text")
            // Nobody has it open any more.
            try await device.host.evict(id)
        }
    }

    @Test("has closed a file also when it is killed while it does")
    func killedWhileClosing() throws {
        try Stage.play { cloud, device in
            let file = try await device.host.create("a", in: .root, by: Program(name: "editor"))
            try await Self.write("the first text", to: file)
            // Somebody writes still, and so long it cannot be noted.
            let content = try #require(device.host.openContents.current(file.node))
            #expect(content.gate.enter())
            let closing = device.replica.world.spawn { try? await file.close() }
            try await device.wait(seconds: 1)
            closing.cancel()
            try await device.wait(seconds: 1)
            content.gate.leave()
            await closing.value
            try await device.wait(seconds: 1)
            #expect(cloud.tree() == ["a": "the first text"])
            #expect(!device.host.openContents.isOpen(file.node))
        }
    }

    @Test("makes one file, and has that open once, when its transaction is done again")
    func repeatedCreation() throws {
        try Stage.play(repeatsWrites: true) { cloud, device in
            let file = try await device.host.create("a", in: .root, by: Program(name: "editor"))
            try await Self.write("the first text", to: file)
            #expect(cloud.tree().isEmpty)
            try await file.close()
            try await device.host.waitForRest()
            #expect(cloud.tree() == ["a": "the first text"])
            try await device.host.evict(file.node)
            #expect(try await device.text(of: file.node) == "the first text")
            #expect(cloud.versions(of: "a") == 1)
        }
    }
}
