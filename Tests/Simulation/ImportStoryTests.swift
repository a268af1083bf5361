import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Foundation
import Glibc
import Testing

@Suite("A tree that a domain begins with")
struct ImportStoryTests {
    private static let record = DomainRecord(identifier: .init("work"), displayName: "Work")

    private static let texts = [
        "a": "first", "empty": "", "folder/b": "second", "folder/deep/er/c": "third",
        "folder/A": "another one",
    ]

    private static let tree = texts.merging(
        ["folder": "/", "folder/deep": "/", "folder/deep/er": "/", "nothing in it": "/"]
    ) { $1 }

    @discardableResult
    private static func fill(_ machine: Machine, at place: String = "tree") throws -> String {
        let source = "\(machine.folder)/\(place)"
        for (path, text) in texts { try machine.put(text, at: "\(source)/\(path)") }
        try machine.files.makeFolder("\(source)/nothing in it")
        return source
    }

    @Test("is taken away at once, comes with all that is said of it, and reaches the provider")
    func all() throws {
        try Machine.play { machine in
            let source = try Self.fill(machine)
            try machine.files.makeSymlink(to: "../a", at: source + "/folder/link")
            let tool = source + "/folder/b"
            try machine.files.setAttribute("user.colour", Array("red".utf8), at: tool)
            try machine.files.setModified(Timestamp(seconds: 1_000_000_000), at: tool)
            try machine.files.setMode(0o500, at: tool)
            try machine.files.setMode(0o500, at: source + "/folder/deep")
            machine.network("work").isCut = true
            try await machine.registry.importDomain(Self.record, from: source)
            #expect(!machine.files.exists(source))
            try await machine.executor.sleep(.seconds(60))

            let expected = Set(Self.tree.keys).union(["folder/link"])
            #expect(try Set(machine.paths()) == expected)
            for (path, text) in Self.texts { #expect(try await machine.read(path) == text) }
            let node = try machine.stored("folder/b")
            #expect(node.trees.local?.attributes.modified == Timestamp(seconds: 1_000_000_000))
            #expect(node.trees.local?.attributes.flags == [.userReadable, .userExecutable])
            #expect(node.trees.local?.attributes.extended == ["user.colour": Data("red".utf8)])
            #expect(
                try machine.stored("folder/deep").trees.local?.attributes.flags
                    == [.userReadable, .userExecutable])
            #expect(try machine.stored("folder/link").trees.local?.content == .target("../a"))
            // The cloud has no links.
            try await machine.host("work").remove(machine.node("folder/link"))
            machine.network("work").isCut = false
            try await machine.host("work").waitForRest()
            #expect(machine.cloud("work").tree() == Self.tree)
            #expect(machine.network("work").companion.imports.count == 1)
            try await machine.rewrite("folder/b", "is written here")
            try await machine.host("work").waitForRest()
            #expect(machine.cloud("work").tree()["folder/b"] == "is written here")
            let replica = machine.registryFolder + "/work/replica"
            #expect(!machine.files.exists(replica + "/import"))
        }
    }

    @Test("meets what the provider has already, and nothing is there twice or lost")
    func meeting() throws {
        try Machine.play { machine in
            // Another machine has had the tree, and somebody has changed a text there.
            let first = try Self.fill(machine, at: "first")
            try await machine.registry.importDomain(Self.record, from: first)
            try await machine.host("work").waitForRest()
            _ = try await machine.registry.remove(.init("work"), mode: .removeAll)
            machine.cloud("work").rewrite("b", "is written there")
            let again = try Self.fill(machine, at: "again")
            try await machine.registry.importDomain(Self.record, from: again)
            try await machine.host("work").waitForRest()
            let tree = machine.cloud("work").tree()
            #expect(tree.count == Self.tree.count + 1)
            #expect(tree["folder/b"] == "is written there")
            #expect(tree.values.contains("second"))
            #expect(try machine.paths() == tree.keys.sorted())
        }
    }

    @Test("keeps to itself what the lists in it name")
    func ignored() throws {
        try Machine.play { machine in
            let source = try Self.fill(machine)
            try machine.put("deep/\n", at: source + "/folder/.basketignore")
            try await machine.registry.importDomain(Self.record, from: source)
            try await machine.host("work").waitForRest()
            let tree = machine.cloud("work").tree()
            #expect(!tree.keys.contains { $0.hasPrefix("folder/deep") })
            #expect(tree["folder/b"] == "second" && tree["folder/.basketignore"] != nil)
            #expect(try await machine.read("folder/deep/er/c") == "third")
            #expect(machine.network("work").companion.imports.count == 1)
        }
    }

    @Test("is not said to be offered as long as nobody can be asked about it")
    func outage() throws {
        try Machine.play { machine in
            let source = try Self.fill(machine)
            for number in 0..<40 { try machine.put("\(number)", at: "\(source)/many/\(number)") }
            machine.network("work").isCut = true
            try await machine.registry.importDomain(Self.record, from: source)
            try await machine.executor.sleep(.seconds(600))
            #expect(machine.network("work").companion.imports.isEmpty)
            machine.network("work").isCut = false
            try await machine.host("work").waitForRest()
            #expect(machine.network("work").companion.imports.count == 1)
            #expect(machine.cloud("work").tree().count == Self.tree.count + 41)
        }
    }

    @Test("meets all that the provider has already, though nobody could be asked about it for long")
    func meetingAfterOutage() throws {
        try Machine.play { machine in
            func fill(_ name: String) throws -> String {
                let source = try Self.fill(machine, at: name)
                for number in 0..<100 {
                    try machine.put("\(number)", at: "\(source)/many \(number % 5)/\(number)")
                }
                return source
            }
            try await machine.registry.importDomain(Self.record, from: try fill("first"))
            try await machine.host("work").waitForRest()
            let tree = machine.cloud("work").tree()
            _ = try await machine.registry.remove(.init("work"), mode: .removeAll)
            machine.network("work").isCut = true
            let imports = machine.network("work").companion.imports.count
            try await machine.registry.importDomain(Self.record, from: try fill("again"))
            try await machine.executor.sleep(.seconds(700))
            machine.network("work").isCut = false
            while machine.network("work").companion.imports.count == imports {
                try await machine.executor.sleep(.milliseconds(10))
            }
            // All of it was offered by then.
            #expect(try machine.paths() == tree.keys.sorted())
            for (path, text) in tree where text != "/" {
                #expect(try machine.stored(path).identifier != nil, "\(path)")
            }
            try await machine.host("work").waitForRest()
            #expect(machine.cloud("work").tree() == tree)
            #expect(try machine.paths() == tree.keys.sorted())
        }
    }

    @Test("stays where it is when the domain or its place is there already, or it is not to be had")
    func refused() throws {
        try Machine.play { machine in
            let source = try Self.fill(machine)
            try await machine.registry.add(Self.record)
            for (identifier, name) in [("work", "Other"), ("other", "Work")] {
                let record = DomainRecord(identifier: .init(identifier), displayName: name)
                let error = await #expect(throws: CocoaError.self) {
                    try await machine.registry.importDomain(record, from: source)
                }
                #expect(error?.code == .fileWriteFileExists)
            }
            let other = DomainRecord(identifier: .init("other"), displayName: "Other")
            for path in [
                machine.folder, machine.registryFolder + "/work", machine.places + "/Work",
            ] {
                let error = await #expect(throws: CocoaError.self) {
                    try await machine.registry.importDomain(other, from: path)
                }
                #expect(error?.code == .featureUnsupported)
            }
            await #expect(throws: POSIXError.self) {
                try await machine.registry.importDomain(other, from: source + "/a")
            }
            await #expect(throws: CocoaError.self) {
                try await machine.registry.importDomain(other, from: source + "/nothing")
            }
            #expect(try machine.tree(at: source) == Self.tree)
            #expect(machine.registry.records().count == 1)
            #expect(try machine.files.list(machine.registryFolder) == ["work"])
        }
    }

    @Test("is copied from another volume, and only what is in the copy goes there")
    func otherVolume() throws {
        try Machine.play { machine in
            let source = try Self.fill(machine, at: "elsewhere/tree")
            #expect(mkfifo(source + "/folder/pipe", 0o600) == 0)
            machine.mishap.otherVolume = machine.folder + "/elsewhere"
            try machine.files.setModified(Timestamp(seconds: 1_000_000_000), at: source + "/a")
            try await machine.registry.importDomain(Self.record, from: source)
            #expect(try machine.tree(at: source) == ["folder": "/", "folder/pipe": "?"])
            try await machine.host("work").waitForRest()
            #expect(machine.cloud("work").tree() == Self.tree)
            #expect(
                try machine.stored("a").trees.local?.attributes.modified
                    == Timestamp(seconds: 1_000_000_000))
        }
    }

    @Test("leaves behind what is no item, and where it is known; other names of a file stay")
    func misfits() throws {
        try Machine.play { machine in
            let source = try Self.fill(machine)
            #expect(mkfifo(source + "/folder/pipe", 0o600) == 0)
            let broken = Array("\(source)/folder/".utf8) + [0xFF, 0x78, 0]
            let file = broken.map(CChar.init(bitPattern:)).withUnsafeBufferPointer { bytes in
                bytes.baseAddress.map { creat($0, 0o600) } ?? -1
            }
            #expect(file >= 0)
            close(file)
            let outside = machine.folder + "/outside"
            let b = source + "/folder/b"
            try machine.files.link(b, to: outside)
            try machine.files.setAttribute("user.colour", Array("red".utf8), at: b)
            try machine.files.setMode(0o640, at: b)
            try machine.files.link(source + "/a", to: source + "/folder/also a")
            try await machine.registry.importDomain(Self.record, from: source)
            try await machine.host("work").waitForRest()
            var expected = Self.tree
            expected["folder/also a"] = "first"
            expected["folder/\u{FFFD}x"] = ""
            #expect(machine.cloud("work").tree() == expected)
            let replica = machine.registryFolder + "/work/replica"
            #expect(
                try machine.tree(at: replica + "/not imported") == [
                    "folder": "/", "folder/pipe": "?",
                ])
            #expect(try machine.files.facts(of: outside).mode == 0o640)
            #expect(try machine.files.facts(of: outside).links == 1)
            #expect(try machine.files.attributes(of: outside).count == 1)
            #expect(try machine.stored("folder/b").trees.local?.attributes.extended.count == 1)
            try machine.files.openToChange(outside).write(Array("third!".utf8), at: 0)
            #expect(try await machine.read("folder/b") == "second")
            try await machine.rewrite("folder/b", "another text")
            #expect(try machine.files.contents(of: outside) == Array("third!".utf8))
            #expect(try await machine.read("folder/also a") == "first")
            try await machine.rewrite("a", "edited")
            machine.network("work").isCut = true
            try await machine.rewrite("a", "edited again")
            let url = try await machine.registry.remove(
                .init("work"), mode: .preserveDirtyUserData)
            let kept = try machine.tree(at: #require(url?.path))
            #expect(kept["Not imported/folder/pipe"] == "?")
        }
    }

    @Test(
        "is all there once, there or here, wherever the machine dies",
        arguments: [(false, false), (true, true)])
    func death(isPowerCut: Bool, isElsewhere: Bool) throws {
        var deaths = 0
        while try dies(after: deaths, isPowerCut: isPowerCut, isElsewhere: isElsewhere) {
            deaths += 1
        }
        #expect(deaths > 40)
    }

    /// - Returns: false when all was over before.
    private func dies(after count: Int, isPowerCut: Bool, isElsewhere: Bool) throws -> Bool {
        do {
            try Machine.play { machine in
                let source = try Self.fill(machine, at: "elsewhere/tree")
                if isElsewhere { machine.mishap.otherVolume = machine.folder + "/elsewhere" }
                try machine.files.link(source + "/a", to: source + "/folder/also a")
                let isDead = try await machine.dies(after: count) { registry in
                    try await registry.importDomain(Self.record, from: source)
                    try await machine.host("work").waitForRest()
                }
                guard isDead else { throw Survived() }
                if isPowerCut { try machine.cutPower() }
                try await machine.start()
                var expected = Self.tree
                expected["folder/also a"] = "first"
                if machine.registry.records().isEmpty {
                    #expect(try machine.tree(at: source) == expected, "after \(count) changes")
                    #expect(try machine.tree(at: machine.registryFolder).isEmpty)
                    try await machine.registry.importDomain(Self.record, from: source)
                }
                try await machine.host("work").waitForRest()
                #expect(machine.cloud("work").tree() == expected, "after \(count) changes")
                #expect(try machine.paths() == expected.keys.sorted(), "after \(count) changes")
                let replica = machine.registryFolder + "/work/replica"
                #expect(!machine.files.exists(replica + "/import"), "after \(count) changes")
            }
            return true
        } catch is Survived {
            return false
        }
    }

    private struct Survived: Error {}

    @Test("stays where it is, when there is no room for a copy", arguments: [0, 3, 6, 9, 12, 15])
    func fullDisk(count: Int) throws {
        try Machine.play { machine in
            let source = try Self.fill(machine, at: "elsewhere/tree")
            machine.mishap.otherVolume = machine.folder + "/elsewhere"
            machine.mishap.arm(.full, after: count)
            let error = await #expect(throws: CocoaError.self) {
                try await machine.registry.importDomain(Self.record, from: source)
            }
            machine.mishap.disarm()
            #expect(error?.code == .fileWriteOutOfSpace)
            #expect(try machine.tree(at: source) == Self.tree)
            #expect(try machine.tree(at: machine.registryFolder).isEmpty)
            #expect(machine.registry.records().isEmpty)
            try await machine.registry.importDomain(Self.record, from: source)
            try await machine.host("work").waitForRest()
            #expect(machine.cloud("work").tree() == Self.tree)
        }
    }

    @Test("is kept with the domain that is removed before all of it was taken in")
    func removal() throws {
        for count in [20, 40, 60] {
            try Machine.play { machine in
                let source = try Self.fill(machine)
                machine.network("work").isCut = true
                let isDead = try await machine.dies(after: count) { registry in
                    try await registry.importDomain(Self.record, from: source)
                    try await machine.executor.sleep(.seconds(9))
                }
                #expect(isDead)
                try await machine.start()
                let url = try await machine.registry.remove(
                    .init("work"), mode: .preserveDirtyUserData)
                #expect(try machine.tree(at: #require(url?.path)) == Self.tree)
            }
        }
    }

    @Test("is the domain's, and is kept with it, also when nobody can host that")
    func notHosted() throws {
        try Machine.play { machine in
            let source = try Self.fill(machine)
            machine.isBroken = true
            try await machine.registry.importDomain(Self.record, from: source)
            #expect(machine.hosted("work") == nil)
            #expect(!machine.files.exists(source))
            let url = try await machine.registry.remove(
                .init("work"), mode: .preserveDirtyUserData)
            #expect(try machine.tree(at: #require(url?.path)) == Self.tree)
            // One that is new is none then.
            await #expect(throws: (any Error).self) {
                try await machine.registry.add(Self.record)
            }
            #expect(machine.registry.records().isEmpty)
            #expect(try machine.tree(at: machine.registryFolder).isEmpty)
            machine.isBroken = false
            try await machine.registry.add(Self.record)
            #expect(machine.hosted("work") != nil)
        }
    }

    @Test("has nothing asked of the provider before all of it is there, and nothing thrown away")
    func unfinished() throws {
        try Machine.play { machine in
            try await machine.registry.add(Self.record)
            try await machine.host("work").waitForRest()
            machine.kill()
            let folders = machine.registryFolder + "/work/replica/import/folders"
            let source = try Self.fill(machine)
            try machine.files.makeFolder(folders)
            try machine.files.rename(source, to: folders + "/1")
            try machine.put("nobody knows why", at: folders + "/foreign")
            try await machine.start()
            try await machine.executor.sleep(.seconds(60))
            #expect(try Set(machine.paths()) == Set(Self.tree.keys))
            #expect(machine.cloud("work").tree().isEmpty)
            #expect(try machine.files.contents(of: folders + "/foreign").count == 16)
            try machine.files.remove(folders + "/foreign")
            try await machine.host("work").waitForRest()
            #expect(machine.cloud("work").tree() == Self.tree)
        }
    }
}
