import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Foundation
import Glibc
import Synchronization
import Testing

@Suite("An import with which something goes wrong")
struct ImportMishapTests {
    private static let record = DomainRecord(identifier: .init("work"), displayName: "Work")

    private static let tree = [
        "a": "first", "folder": "/", "folder/b": "second", "folder/deep": "/",
        "folder/deep/c": "third",
    ]

    private static func fill(_ machine: Machine) throws -> String {
        let source = machine.folder + "/tree/mine"
        for (path, text) in tree where text != "/" {
            try machine.put(text, at: "\(source)/\(path)")
        }
        return source
    }

    @Test("and that cannot be undone is gone on with, and nobody builds over it")
    func stuck() throws {
        try Machine.play { machine in
            let source = try Self.fill(machine)
            machine.mishap.refuse { operation, path in
                operation == .synchronise && path.hasSuffix("/import/folders")
                    || operation == .rename && path.hasSuffix("/import/folders/1") ? EIO : nil
            }
            await #expect(throws: FileError.self) {
                try await machine.registry.importDomain(Self.record, from: source)
            }
            machine.mishap.refuse(nil)
            #expect(!machine.files.exists(source))
            await #expect(throws: (any Error).self) {
                try await machine.registry.add(Self.record)
            }
            try machine.put("another", at: source + "/other")
            await #expect(throws: (any Error).self) {
                try await machine.registry.importDomain(Self.record, from: source)
            }
            machine.kill()
            try await machine.start()
            try await machine.host("work").waitForRest()
            #expect(machine.cloud("work").tree() == Self.tree)
            #expect(try machine.tree(at: source) == ["other": "another"])
        }
    }

    @Test("leaves a replica alone that is there already")
    func late() throws {
        try Machine.play { machine in
            try await machine.registry.add(Self.record)
            machine.network("work").isCut = true
            try await machine.write("an edit", named: "a", in: .root)
            machine.kill()
            try machine.put("\"/nowhere\"", at: machine.registryFolder + "/work/arrival.json")
            try await machine.start()
            #expect(try await machine.read("a") == "an edit")
        }
    }

    @Test("does not begin over what lies there")
    func occupied() throws {
        try Machine.play { machine in
            let source = try Self.fill(machine)
            let mine = machine.registryFolder + "/work/replica/mine"
            try machine.put("a text", at: mine)
            await #expect(throws: (any Error).self) {
                try await machine.registry.importDomain(Self.record, from: source)
            }
            machine.isBroken = true
            await #expect(throws: (any Error).self) {
                try await machine.registry.add(Self.record)
            }
            #expect(try machine.files.contents(of: mine) == Array("a text".utf8))
            #expect(try machine.tree(at: source) == Self.tree)
        }
    }

    @Test(
        "takes in all but what cannot be had, and that is known",
        arguments: [EPERM, EBUSY, EIO])
    func badEntry(code: Int32) throws {
        try Machine.play { machine in
            let source = try Self.fill(machine)
            machine.mishap.refuse { operation, path in
                operation == .rename && path.hasSuffix("/b") ? code : nil
            }
            try await machine.registry.importDomain(Self.record, from: source)
            try await machine.host("work").waitForRest()
            var expected = Self.tree
            expected["folder/b"] = nil
            #expect(machine.cloud("work").tree() == expected)
            #expect(
                try machine.tree(at: machine.registryFolder + "/work/replica/not imported") == [
                    "folder": "/", "folder/not readable": "/", "folder/not readable/b": "second",
                ])
        }
    }

    @Test("sends a file that a program had open only when that has closed it")
    func openFile() throws {
        try Machine.play { machine in
            let source = try Self.fill(machine)
            let isOpen = Mutex(true)
            machine.mishap.refuse { operation, path in
                operation == .write && isOpen.withLock { $0 }
                    && (try? machine.files.contents(of: path)) == Array("second".utf8)
                    ? EBUSY : nil
            }
            try await machine.registry.importDomain(Self.record, from: source)
            try await machine.executor.sleep(.seconds(100))
            var expected = Self.tree
            expected["folder/b"] = nil
            #expect(machine.cloud("work").tree() == expected)
            machine.cloud("work").add("new", "text")
            try await machine.executor.sleep(.seconds(10))
            #expect(try machine.paths().contains("new"))

            let file = try #require(machine.stored("folder/b").file)
            let path = try machine.host("work").replica.contents.path(file)
            try machine.files.openToChange(path).write(Array("second, and more".utf8), at: 0)
            isOpen.withLock { $0 = false }
            try await machine.host("work").waitForRest()
            expected["folder/b"] = "second, and more"
            expected["new"] = "text"
            #expect(machine.cloud("work").tree() == expected)
            #expect(try await machine.read("folder/b") == "second, and more")
        }
    }

    @Test("leaves what has more noted at it than an extension takes")
    func manyAttributes() throws {
        try Machine.play { machine in
            let source = try Self.fill(machine)
            for number in 0..<20 {
                try machine.files.setAttribute(
                    "user.note\(number)", [UInt8](repeating: 1, count: 2000), at: source + "/a")
            }
            try await machine.registry.importDomain(Self.record, from: source)
            try await machine.host("work").waitForRest()
            var expected = Self.tree
            expected["a"] = nil
            #expect(machine.cloud("work").tree() == expected)
            let place = machine.registryFolder + "/work/replica/not imported/not readable/a"
            #expect(try machine.files.attributes(of: place).count == 20)
        }
    }

    @Test("copies a file that lies on a volume of its own")
    func nestedVolume() throws {
        try Machine.play { machine in
            let source = try Self.fill(machine)
            machine.mishap.refuse { operation, path in
                operation == .rename && path.hasSuffix("/b") ? EXDEV : nil
            }
            try await machine.registry.importDomain(Self.record, from: source)
            try await machine.host("work").waitForRest()
            #expect(machine.cloud("work").tree() == Self.tree)
            #expect(!machine.files.exists(machine.registryFolder + "/work/replica/not imported"))
        }
    }

    @Test("has each file note whose it is before it is one, so that a lost database loses none")
    func marks() throws {
        try Machine.play { machine in
            let source = try Self.fill(machine)
            machine.network("work").isCut = true
            try await machine.registry.importDomain(Self.record, from: source)
            try await machine.executor.sleep(.seconds(60))
            let node = try machine.stored("folder/b")
            let path = try machine.host("work").replica.contents.path(#require(node.file))
            let note = try #require(try machine.files.note(at: path))
            let mark = try JSONDecoder().decode(ContentMark.self, from: Data(note))
            #expect(mark.path == ["folder", "b"])
        }
    }

    @Test("loses no name, content or link, whenever the machine dies and its database is deleted")
    func lostDatabase() throws {
        var deaths = 0
        while try losesDatabase(after: deaths) { deaths += 1 }
        #expect(deaths > 40)
    }

    /// - Returns: false when all was over before.
    private func losesDatabase(after count: Int) throws -> Bool {
        let hasDied = Mutex(false)
        try Machine.play { machine in
            let source = try Self.fill(machine)
            let links = ["link": "folder/b", "folder/deep/link": "../../a"]
            for (path, target) in links {
                try machine.files.makeSymlink(to: target, at: "\(source)/\(path)")
            }
            let red = ["user.colour": Data("red".utf8)]
            for path in ["folder/b", "folder/deep"] {
                try machine.files.setAttribute(
                    "user.colour", Array("red".utf8), at: "\(source)/\(path)")
            }
            machine.network("work").isCut = true
            let isDead = try await machine.dies(after: count) { registry in
                try await registry.importDomain(Self.record, from: source)
                try await machine.executor.sleep(.seconds(30))
            }
            guard isDead else { return }
            hasDied.withLock { $0 = true }
            try machine.loseDatabase(of: "work")
            try await machine.start()
            // It died before the tree was the domain's.
            if machine.registry.records().isEmpty { return }
            try await machine.executor.sleep(.seconds(30))

            let here = try machine.paths()
            let expected = Self.tree.merging(links) { $1 }.keys.sorted()
            #expect(here == expected, "after \(count) changes")
            guard here == expected else { return }
            for (path, target) in links {
                #expect(try machine.stored(path).trees.local?.content == .target(target))
            }
            for path in ["folder/b", "folder/deep"] {
                #expect(try machine.stored(path).trees.local?.attributes.extended == red)
            }
            for (path, text) in Self.tree where text != "/" {
                #expect(try await machine.read(path) == text, "after \(count) changes")
            }
            machine.network("work").isCut = false
            try await machine.host("work").waitForRest()
            let there = Self.tree.merging(links.mapValues { "→ " + $0 }) { $1 }
            #expect(machine.cloud("work").tree() == there, "after \(count) changes")
            let replica = machine.registryFolder + "/work/replica"
            for name in ["import", "not imported"] {
                #expect(!machine.files.exists("\(replica)/\(name)"), "after \(count) changes")
            }
        }
        return hasDied.withLock { $0 }
    }

    @Test("makes each folder of a copy durable, the deepest first, before it is the domain's")
    func durableFolders() throws {
        try Machine.play { machine in
            let source = try Self.fill(machine)
            machine.mishap.otherVolume = machine.folder + "/tree"
            try await machine.registry.importDomain(Self.record, from: source)
            let draft = machine.registryFolder + "/work/replica/import/draft"
            let folders = machine.mishap.synchronised.filter { $0.hasPrefix(draft) }
            #expect(folders == ["\(draft)/folder/deep", "\(draft)/folder", draft])
        }
    }
}
