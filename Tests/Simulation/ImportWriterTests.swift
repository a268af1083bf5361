import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Foundation
import Glibc
import Synchronization
import Testing

@Suite("A program that goes on with a tree while that is imported")
struct ImportWriterTests {
    private static let record = DomainRecord(identifier: .init("work"), displayName: "Work")

    private static let tree = ["a": "first", "folder": "/", "folder/b": "second"]

    private static func fill(_ machine: Machine) throws -> String {
        let source = machine.folder + "/tree/mine"
        for (path, text) in tree where text != "/" {
            try machine.put(text, at: "\(source)/\(path)")
        }
        return source
    }

    private static func append(_ text: String, to file: any ChangeableFile) throws {
        try file.write(Array(text.utf8), at: file.size())
    }

    private static func isBegunWith(_ text: String, _ path: String, _ machine: Machine) -> Bool {
        (try? machine.files.contents(of: path).starts(with: Array(text.utf8))) == true
    }

    private static func isContent(_ path: String) -> Bool {
        path.contains("/contents/") && path.split(separator: "/").last.flatMap { Int($0) } != nil
    }

    @Test("and has had a file open writes to the same one as others who come to it later")
    func sharedFile() throws {
        try Machine.play { machine in
            let source = try Self.fill(machine)
            let log = try machine.files.openToChange(source + "/folder/b")
            let isOpen = Mutex(true)
            machine.mishap.refuse { operation, path in
                operation == .write && isOpen.withLock { $0 }
                    && Self.isBegunWith("second", path, machine) ? EBUSY : nil
            }
            try await machine.registry.importDomain(Self.record, from: source)
            try await machine.executor.sleep(.seconds(30))
            let other = try await machine.host("work").open(
                machine.node("folder/b"), for: .writing, by: Program(name: "shell"))
            try await other.append(Array(", third".utf8))
            try Self.append(", fourth", to: log)
            try await other.append(Array(", fifth".utf8))
            try await other.close()
            try await machine.executor.sleep(.seconds(100))
            #expect(machine.cloud("work").tree()["folder/b"] == nil)
            try Self.append(", sixth", to: log)
            isOpen.withLock { $0 = false }
            try await machine.host("work").waitForRest()
            let text = "second, third, fourth, fifth, sixth"
            #expect(machine.cloud("work").tree()["folder/b"] == text)
            #expect(try await machine.read("folder/b") == text)

            // What was sent stays as it is.
            try await machine.rewrite("folder/b", "another text")
            try await machine.host("work").waitForRest()
            #expect(machine.cloud("work").tree()["folder/b"] == "another text")
        }
    }

    @Test(
        "is waited for, also when the database is lost meanwhile, or its journal as well",
        arguments: [false, true])
    func lostDatabase(isAll: Bool) throws {
        try Machine.play { machine in
            let source = try Self.fill(machine)
            let log = try machine.files.openToChange(source + "/folder/b")
            let isOpen = Mutex(true)
            machine.mishap.refuse { operation, path in
                operation == .write && isOpen.withLock { $0 }
                    && Self.isBegunWith("second", path, machine) ? EBUSY : nil
            }
            try await machine.registry.importDomain(Self.record, from: source)
            try await machine.executor.sleep(.seconds(30))
            machine.kill()
            try machine.loseDatabase(of: "work", isAll: isAll)
            try await machine.start()
            try await machine.executor.sleep(.seconds(100))
            #expect(machine.cloud("work").tree()["folder/b"] == nil)
            try Self.append(", third", to: log)
            isOpen.withLock { $0 = false }
            try await machine.host("work").waitForRest()
            #expect(machine.cloud("work").tree()["folder/b"] == "second, third")
        }
    }

    @Test("is waited for, also when nobody could look for a while whether its file is there")
    func unseenFile() throws {
        try Machine.play { machine in
            let source = try Self.fill(machine)
            let log = try machine.files.openToChange(source + "/folder/b")
            let isOpen = Mutex(true)
            let isFailing = Mutex(false)
            machine.mishap.refuse { operation, path in
                switch operation {
                case .write:
                    isOpen.withLock { $0 } && Self.isBegunWith("second", path, machine)
                        ? EBUSY : nil
                case .look:
                    isFailing.withLock { $0 } && Self.isContent(path) ? EIO : nil
                default: nil
                }
            }
            try await machine.registry.importDomain(Self.record, from: source)
            try await machine.executor.sleep(.seconds(30))
            isFailing.withLock { $0 = true }
            try await machine.executor.sleep(.seconds(30))
            isFailing.withLock { $0 = false }
            try await machine.executor.sleep(.seconds(1000))
            #expect(machine.cloud("work").tree()["folder/b"] == nil)
            try Self.append(", third", to: log)
            isOpen.withLock { $0 = false }
            try await machine.host("work").waitForRest()
            #expect(machine.cloud("work").tree()["folder/b"] == "second, third")
        }
    }

    @Test("keeps a file that it is writing to and that could only be copied")
    func writtenOnOtherVolume() throws {
        try Machine.play { machine in
            let source = try Self.fill(machine)
            let log = try machine.files.openToChange(source + "/folder/b")
            machine.mishap.refuse { operation, path in
                guard path.hasSuffix("/b") else { return nil }
                return switch operation {
                case .rename: EXDEV
                case .write: EBUSY
                default: nil
                }
            }
            try await machine.registry.importDomain(Self.record, from: source)
            try await machine.host("work").waitForRest()
            try Self.append(", third", to: log)
            var expected = Self.tree
            expected["folder/b"] = nil
            #expect(machine.cloud("work").tree() == expected)
            #expect(
                try machine.tree(at: machine.registryFolder + "/work/replica/not imported") == [
                    "folder": "/", "folder/not readable": "/",
                    "folder/not readable/b": "second, third",
                ])
        }
    }

    @Test("keeps a file that it changes while that is copied")
    func changedWhileCopied() throws {
        try Machine.play { machine in
            let source = try Self.fill(machine)
            let log = try machine.files.openToChange(source + "/folder/b")
            machine.mishap.refuse { operation, path in
                guard operation == .rename else { return nil }
                // The copy is about to take its place.
                if path.hasSuffix("/copy") { try? log.write(Array(", third".utf8), at: 6) }
                return path.hasSuffix("/b") ? EXDEV : nil
            }
            try await machine.registry.importDomain(Self.record, from: source)
            try await machine.host("work").waitForRest()
            var expected = Self.tree
            expected["folder/b"] = nil
            #expect(machine.cloud("work").tree() == expected)
            #expect(
                try machine.tree(at: machine.registryFolder + "/work/replica/not imported")[
                    "folder/not readable/b"] == "second, third")
        }
    }

    @Test("has a file twice nowhere that had to be copied, whenever the import dies")
    func copiedOnce() throws {
        var deaths = 0
        while try diesCopying(after: deaths) { deaths += 1 }
        #expect(deaths > 20)
    }

    /// - Returns: false when all was over before.
    private func diesCopying(after count: Int) throws -> Bool {
        let hasDied = Mutex(false)
        try Machine.play { machine in
            let source = try Self.fill(machine)
            machine.mishap.refuse { operation, path in
                operation == .rename && path.hasSuffix("/b") ? EXDEV : nil
            }
            let isDead = try await machine.dies(after: count) { registry in
                try await registry.importDomain(Self.record, from: source)
                try await machine.executor.sleep(.seconds(30))
            }
            guard isDead else { return }
            hasDied.withLock { $0 = true }
            try await machine.start()
            // It died before the tree was the domain's.
            if machine.registry.records().isEmpty { return }
            try await machine.host("work").waitForRest()
            #expect(machine.cloud("work").tree() == Self.tree, "after \(count) changes")
        }
        return hasDied.withLock { $0 }
    }

    @Test("loses nothing that it makes anew under a name that was moved when the import died")
    func madeAnew() throws {
        var (deaths, made) = (0, 0)
        while let names = try diesAndIsGoneOnWith(after: deaths) {
            deaths += 1
            made += names
        }
        #expect(deaths > 40)
        #expect(made > 4)
    }

    /// - Returns: how much was made anew; nil when all was over before.
    private func diesAndIsGoneOnWith(after count: Int) throws -> Int? {
        let made = Mutex<Int?>(nil)
        // Every other time, nobody can look for a while at what was moved.
        let isUnseen = count.isMultiple(of: 2)
        try Machine.play { machine in
            let source = try Self.fill(machine)
            try machine.files.makeSymlink(to: "folder", at: source + "/link")
            machine.network("work").isCut = true
            let isDead = try await machine.dies(after: count) { registry in
                try await registry.importDomain(Self.record, from: source)
                try await machine.executor.sleep(.seconds(30))
            }
            guard isDead else { return }
            let top = machine.registryFolder + "/work/replica/import/folders/1"
            let isThere = machine.files.exists(top)
            let gone = try ["a", "link", "folder"].filter { name in
                try isThere && machine.files.factsIfAny(of: "\(top)/\(name)") == nil
            }
            // As long as what was there.
            for name in gone { try machine.put("other", at: "\(top)/\(name)") }
            made.withLock { $0 = gone.count }
            machine.mishap.refuse { operation, path in
                isUnseen && operation == .look && Self.isContent(path) ? EIO : nil
            }
            try await machine.start()
            // It died before the tree was the domain's.
            if machine.registry.records().isEmpty { return }
            try await machine.executor.sleep(.seconds(30))
            machine.mishap.refuse(nil)
            try await machine.executor.sleep(.seconds(100))

            var texts: [String] = []
            for path in try machine.paths() {
                switch try machine.stored(path).kind {
                case .file: texts.append(try await machine.read(path))
                case .symlink: texts.append("a link")
                case .folder: texts.append("a folder")
                }
            }
            let expected =
                ["first", "second", "a link", "a folder"] + gone.map { _ in "other" }
            #expect(texts.sorted() == expected.sorted(), "after \(count) changes")
        }
        return made.withLock { $0 }
    }

    @Test(
        "and has left a file that cannot be looked at keeps nobody from seeing that of another one")
    func otherFile() throws {
        try Machine.play { machine in
            let source = try Self.fill(machine)
            let code = Mutex<Int32>(EBUSY)
            machine.mishap.refuse { operation, path in
                guard operation == .write else { return nil }
                let code = code.withLock { $0 }
                if Self.isBegunWith("first", path, machine) { return code == 0 ? nil : code }
                return code == EBUSY && Self.isBegunWith("second", path, machine) ? EBUSY : nil
            }
            try await machine.registry.importDomain(Self.record, from: source)
            try await machine.executor.sleep(.seconds(100))
            #expect(machine.cloud("work").tree() == ["folder": "/"])

            code.withLock { $0 = EIO }
            try await machine.executor.sleep(.seconds(100))
            #expect(machine.cloud("work").tree() == ["folder": "/", "folder/b": "second"])

            code.withLock { $0 = 0 }
            try await machine.host("work").waitForRest()
            #expect(machine.cloud("work").tree() == Self.tree)
        }
    }
}
