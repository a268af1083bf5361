import FileProvider
import FileProviderReplica
import Testing

@testable import FileProviderHost

/// What editors do to have a whole file there at any moment.
@Suite("A program that saves")
struct SavingStoryTests {
    private static let editor = Program(name: "editor")

    private static func write(_ text: String, to file: OpenFile) async throws {
        try await file.write(Array(text.utf8), at: 0)
    }

    private static func text(_ file: OpenFile) async throws -> String {
        String(decoding: try await file.read(at: 0, count: 100), as: UTF8.self)
    }

    /// What was left behind is gone after the next start.
    private static func checkLeftovers(of device: Device) async throws {
        await device.stop()
        try await device.start()
        try await device.wait(seconds: 30)
        await device.stop()
        #expect(try await device.leftovers() == [])
    }

    @Test(
        "by way of another name writes a new version of the same item",
        arguments: ["a~", "a.bak"], [true, false])
    func renamedAway(kept: String, isRemoved: Bool) throws {
        try Stage.play { cloud, device in
            let id = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            let identifier = try device.identifier(of: id)
            try await device.move(id, to: .root, as: kept)
            let file = try await device.host.create("a", in: .root, by: Self.editor)
            try await Self.write("the second text", to: file)
            try await file.close()
            let backup = try device.replica.read { try $0.child(kept, of: .root)?.id }
            if let backup, isRemoved { try await device.remove(backup) }
            try await device.host.waitForRest()

            #expect(try device.identifier(of: id) == identifier)
            #expect(cloud.versions(of: "a") == 2)
            #expect(cloud.tree()["a"] == "the second text")
            if isRemoved {
                #expect(cloud.tree().count == 1)
            } else {
                // By their name alone, some stay here.
                #expect(cloud.tree()[kept] == (kept == "a~" ? nil : "the first text"))
                #expect(try await device.text(of: #require(backup)) == "the first text")
            }
        }
    }

    @Test(
        "would have kept what it renames by a name like these; what gets another name is seen at once",
        arguments: [
            ("report.odt", "report.odt.1", true), ("report.odt", "report (old).odt", true),
            ("report.odt", ".#lk0", true), ("report.odt", "minutes.odt", false),
        ])
    func renamedForGood(old: String, new: String, isKept: Bool) throws {
        try Stage.play { cloud, device in
            let id = try await device.create(old, in: .root, "the first text")
            try await device.host.waitForRest()
            try await device.move(id, to: .root, as: new)
            try await device.wait(milliseconds: 60)
            #expect(cloud.tree() == [isKept ? old : new: "the first text"])
            try await device.wait(milliseconds: 1000)
            #expect(cloud.tree() == [new: "the first text"])
        }
    }

    @Test("a file that is called as a program's own may be, writes a new version too")
    func hidden() throws {
        try Stage.play { cloud, device in
            let id = try await device.create(".vimrc", in: .root, "the first text")
            try await device.host.waitForRest()
            try await device.move(id, to: .root, as: ".vimrc~")
            let file = try await device.host.create(".vimrc", in: .root, by: Self.editor)
            try await Self.write("the second text", to: file)
            try await file.close()
            try await device.host.waitForRest()
            #expect(try device.replica.read { try $0.child(".vimrc", of: .root)?.id } == id)
            #expect(cloud.versions(of: ".vimrc") == 2)
        }
    }

    @Test("by way of a lock that others have seen, does not take it for the file at the next lock")
    func nextLock() throws {
        try Stage.play { cloud, device in
            let first = try await device.create("index.lock", in: .root, "the first text")
            // It takes its time.
            try await device.host.waitForRest()
            try await device.move(first, to: .root, as: "index")
            let second = try await device.create("index.lock", in: .root, "the second text")
            #expect(second != first)
            #expect(try device.replica.read { try $0.child("index", of: .root)?.id } == first)
            #expect(try await device.text(of: first) == "the first text")
            try await device.host.waitForRest()
            #expect(cloud.tree() == ["index": "the first text", "index.lock": "the second text"])
        }
    }

    @Test("a file that it wrote before, and keeps the one that was there, writes a new version too")
    func writtenBefore() throws {
        try Stage.play { cloud, device in
            let id = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            let new = try await device.host.create("lu1.tmp", in: .root, by: Self.editor)
            try await Self.write("the second", to: new)
            try await device.move(id, to: .root, as: "a.bak")
            try await device.move(new.node, to: .root, as: "a")
            try await new.write(Array(" text".utf8), at: 10)
            try await new.close()
            try await device.host.waitForRest()

            #expect(cloud.tree() == ["a": "the second text", "a.bak": "the first text"])
            #expect(cloud.versions(of: "a") == 2)
            #expect(cloud.versions(of: "a.bak") == 1)
            #expect(try device.replica.read { try $0.child("a", of: .root)?.id } == id)
        }
    }

    @Test(
        "by way of a file that it closed a while before writes a new version, and none of that is seen elsewhere",
        arguments: [0, 20, 400], [true, false])
    func closedBefore(milliseconds: Int, isKept: Bool) throws {
        try Stage.play { cloud, device in
            let id = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            let new = try await device.create("lu1.tmp", in: .root, "the second")
            try await device.wait(milliseconds: milliseconds)
            #expect(cloud.tree() == ["a": "the first text"])
            let draft = try await device.open(new, for: .writing)
            if isKept { try await device.move(id, to: .root, as: "a.bak") }
            try await device.move(new, to: .root, as: "a")
            try await draft.write(Array(" text".utf8), at: 10)
            try await draft.close()
            try await device.wait(milliseconds: 1500)
            // Some take back what they kept when something fails.
            #expect(cloud.tree() == ["a": "the second text"])
            try await device.host.waitForRest()

            let backup = isKept ? ["a.bak": "the first text"] : [:]
            #expect(cloud.tree() == backup.merging(["a": "the second text"]) { $1 })
            #expect(cloud.versions(of: "a") == 2)
            #expect(try device.replica.read { try $0.child("a", of: .root)?.id } == id)
            try await Self.checkLeftovers(of: device)
        }
    }

    @Test("slowly, or what the provider calls otherwise by now, writes two files")
    func slowly() throws {
        try Stage.play { cloud, device in
            let id = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            try await device.move(id, to: .root, as: "a.bak")
            try await device.wait(milliseconds: 1000)
            let file = try await device.host.create("a", in: .root, by: Self.editor)
            try await device.wait(milliseconds: 500)
            try await Self.write("the second text", to: file)
            try await file.close()
            try await device.host.waitForRest()
            #expect(cloud.tree() == ["a": "the second text", "a.bak": "the first text"])
            #expect(cloud.versions(of: "a.bak") == 1)
            #expect(try device.replica.read { try $0.child("a.bak", of: .root)?.id } == id)
        }
    }

    @Test("and cannot, gives the item back what it kept", arguments: [true, false])
    func takenBack(isOpen: Bool) throws {
        try Stage.play { cloud, device in
            let id = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            let reader = try await device.open(id, for: .reading)
            try await device.move(id, to: .root, as: "a~")
            let file = try await device.host.create("a", in: .root, by: Self.editor)
            try await Self.write("the", to: file)
            if !isOpen { try await file.close() }
            let new = try #require(try device.replica.read { try $0.child("a", of: .root)?.id })
            let kept = try #require(try device.replica.read { try $0.child("a~", of: .root)?.id })
            #expect(new == id)
            // A program that cannot write may remove the file before it closes it.
            try await device.remove(new)
            if isOpen { try await file.close() }
            let back = try #require(try device.replica.read { try $0.child("a~", of: .root)?.id })
            #expect(back == id && kept != id)
            try await device.move(back, to: .root, as: "a")
            #expect(try await Self.text(reader) == "the first text")
            try await reader.close()
            try await device.host.waitForRest()
            #expect(cloud.tree() == ["a": "the first text"])
            #expect(try device.replica.read { try $0.child("a", of: .root)?.id } == id)
            #expect(try device.nodes().count == 1)
            try await Self.checkLeftovers(of: device)
        }
    }

    @Test("over what it kept the last time does so again")
    func keptBefore() throws {
        try Stage.play { cloud, device in
            let id = try await device.create("a", in: .root, "text 1")
            for number in 2..<5 {
                try await device.host.waitForRest()
                try await device.move(id, to: .root, as: "a~")
                _ = try await device.create("a", in: .root, "text \(number)")
            }
            try await device.host.waitForRest()
            #expect(cloud.tree() == ["a": "text 4"])
            #expect(cloud.versions(of: "a") == 4)
            #expect(try await device.textsKeptHere() == ["text 3"])
        }
    }

    @Test("there and back leaves the name to whoever takes it then")
    func thereAndBack() throws {
        try Stage.play { cloud, device in
            let id = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            try await device.move(id, to: .root, as: "x")
            try await device.move(id, to: .root, as: "a")
            _ = try await device.create("x", in: .root, "another text")
            try await device.host.waitForRest()
            #expect(cloud.tree() == ["a": "the first text", "x": "another text"])
            #expect(cloud.versions(of: "a") == 1)
        }
    }

    @Test("writes what the next one saves again, however often, also while the network is away")
    func again() throws {
        try Stage.play { cloud, device in
            let id = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            device.network.isCut = true
            for number in 2..<6 {
                if let old = try device.replica.read({ try $0.child("a~", of: .root)?.id }) {
                    try await device.remove(old)
                }
                try await device.move(id, to: .root, as: "a~")
                _ = try await device.create("a", in: .root, "text \(number)")
                try await device.wait(milliseconds: 300)
            }
            device.reconnect()
            try await device.host.waitForRest()
            #expect(cloud.tree() == ["a": "text 5"])
            #expect(cloud.versions(of: "a") == 2)
            #expect(try await device.textsKeptHere() == ["text 4"])
        }
    }

    @Test("leaves to who has the file open what that has seen of it")
    func openMeanwhile() throws {
        try Stage.play { cloud, device in
            let id = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            let reader = try await device.open(id, for: .reading)
            let writer = try await device.open(id, for: .writing)
            #expect(try await Self.text(reader) == "the first text")
            try await device.move(id, to: .root, as: "b")
            let file = try await device.host.create("a", in: .root, by: Self.editor)
            try await Self.write("the second text", to: file)
            #expect(try await Self.text(reader) == "the first text")
            try await Self.write("THE", to: writer)
            #expect(try await Self.text(writer) == "THE first text")
            #expect(try await Self.text(file) == "the second text")
            for open in [reader, writer, file] { try await open.close() }
            try await device.host.waitForRest()
            #expect(cloud.tree() == ["a": "the second text", "b": "THE first text"])
            #expect(cloud.versions(of: "a") == 2)
        }
    }

    @Test("into a file that somebody writes just then, makes two files of them")
    func writtenMeanwhile() throws {
        try Stage.play { cloud, device in
            let id = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            let writer = try await device.open(id, for: .writing)
            try await Self.write("THE", to: writer)
            try await device.move(id, to: .root, as: "b")
            _ = try await device.create("a", in: .root, "the second text")
            try await Self.write("one", to: writer)
            try await writer.close()
            try await device.host.waitForRest()
            #expect(cloud.tree() == ["a": "the second text", "b": "one first text"])
            #expect(cloud.versions(of: "b") == 2)
        }
    }

    @Test("what only this device has, keeps what is there when it dies, or its databases are lost")
    func unsent() throws {
        try Stage.play { cloud, device in
            let id = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            device.network.isCut = true
            try await device.write("the second text", to: id)
            try await device.move(id, to: .root, as: "a.bak")
            let new = try await device.create("a", in: .root, "the third text")
            try await device.synchronise(new)
            try device.loseDatabase()
            device.network.isCut = false
            try await device.start()
            try await device.host.waitForRest()
            #expect(cloud.tree() == ["a": "the third text", "a.bak": "the second text"])
            #expect(cloud.versions(of: "a") == 2)
        }
    }

    @Test("is told from a person, who renames a file, and later makes another one of that name")
    func later() throws {
        try Stage.play { cloud, device in
            let id = try await device.create("a", in: .root, "the first text")
            let other = try await device.create("c", in: .root, "another text")
            try await device.host.waitForRest()
            try await device.move(id, to: .root, as: "b")
            try await device.wait(seconds: 3)
            _ = try await device.create("a", in: .root, "the second text")
            try await device.host.waitForRest()
            #expect(try device.replica.read { try $0.child("b", of: .root)?.id } == id)
            #expect(cloud.versions(of: "a") == 1)
            // Whatever has versions of its own keeps these.
            try await device.wait(seconds: 90)
            try await device.move(id, to: .root, as: "d")
            try await device.move(other, to: .root, as: "b")
            try await device.host.waitForRest()
            #expect(try device.replica.read { try $0.child("d", of: .root)?.id } == id)
            #expect(try device.replica.read { try $0.child("b", of: .root)?.id } == other)
            #expect(
                cloud.tree() == [
                    "a": "the second text", "b": "another text", "d": "the first text",
                ])
        }
    }
}
