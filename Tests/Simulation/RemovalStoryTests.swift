import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Foundation
import Testing

@Suite("A domain that is removed")
struct RemovalStoryTests {
    private static let work = NSFileProviderDomainIdentifier("work")

    /// Synchronised files, one of them in part, one nowhere here; and then edits that nobody can send.
    private static func fill(_ machine: Machine) async throws {
        try await machine.registry.add(DomainRecord(identifier: work, displayName: "Work"))
        let host = try machine.host("work")
        let folder = try await host.make("folder", in: .root, kind: .folder)
        _ = try await host.make("empty there", in: .root, kind: .folder)
        for (name, text) in [("clean", "is there"), ("edited", "the first text"), ("away", "gone")]
        {
            try await machine.write(text, named: name, in: folder)
        }
        try await machine.write("stays here", named: "own.local", in: folder)
        try await host.waitForRest()
        try await host.evict(machine.node("folder/away"))
        machine.network("work").isCut = true
        try await machine.rewrite("folder/edited", "the second text")
        try await machine.write("", named: "new and empty", in: folder)
        let tools = try await host.make("a new folder", in: .root, kind: .folder)
        try await machine.write("run", named: "tool", in: tools)
        try await host.replica.write { transaction in
            _ = try transaction.make("link", in: tools, kind: .symlink, target: "../folder/edited")
            try transaction.setAttributes(of: machine.node("a new folder/tool", transaction.reader))
            {
                $0.flags = [.userReadable, .userExecutable]
                $0.modified = Timestamp(seconds: 1_000_000_000)
                $0.extended = ["user.colour": Data("red".utf8)]
            }
        }
        _ = try await host.make("empty here", in: .root, kind: .folder)
        // What nobody has made durable may go with the power.
        try await host.replica.synchronise()
    }

    private static let edits = [
        "folder": "/", "folder/edited": "the second text", "folder/own.local": "stays here",
        "folder/new and empty": "", "a new folder": "/", "a new folder/tool": "run",
        "a new folder/link": "->../folder/edited", "empty here": "/",
    ]

    private static func expectGone(_ machine: Machine) throws {
        #expect(machine.registry.records().isEmpty)
        #expect(machine.hosted("work") == nil)
        #expect(try machine.tree(at: machine.registryFolder).isEmpty)
        #expect(!machine.files.exists(machine.places + "/Work"))
    }

    @Test("leaves nothing, if nothing is to be kept; and can be added again")
    func everything() throws {
        try Machine.play { machine in
            try await Self.fill(machine)
            #expect(try await machine.registry.remove(Self.work, mode: .removeAll) == nil)
            try Self.expectGone(machine)
            #expect(try machine.tree(at: machine.places).isEmpty)
            machine.network("work").isCut = false
            try await machine.registry.add(
                DomainRecord(identifier: Self.work, displayName: "Work"))
            try await machine.host("work").waitForRest()
            #expect(try machine.paths() == machine.cloud("work").tree().keys.sorted())
        }
    }

    @Test("of all domains leaves those that cannot go, and says why")
    func all() throws {
        try Machine.play { machine in
            for name in ["a", "stubborn", "z"] {
                try await machine.registry.add(
                    DomainRecord(identifier: .init(name), displayName: name))
            }
            machine.mishap.refuse { operation, path in
                operation == .rename && path.contains("/stubborn") ? EBUSY : nil
            }
            let failure = await withCheckedContinuation { continuation in
                machine.registry.removeAllDomains { continuation.resume(returning: $0 != nil) }
            }
            #expect(failure)
            #expect(machine.registry.records().map(\.identifier.rawValue) == ["stubborn"])
            machine.mishap.refuse(nil)
            let second = await withCheckedContinuation { continuation in
                machine.registry.removeAllDomains { continuation.resume(returning: $0 != nil) }
            }
            #expect(!second)
            #expect(machine.registry.records().isEmpty)
            #expect(try machine.tree(at: machine.registryFolder).isEmpty)
        }
    }

    @Test(
        "leaves what the provider has not got, as ordinary files",
        arguments: [(false, false), (true, false), (true, true)])
    func edits(isPowerCut: Bool, isElsewhere: Bool) throws {
        try Machine.play { machine in
            try await Self.fill(machine)
            machine.mishap.refusesLinks = isElsewhere
            try machine.put("mine", at: machine.places + "/Work (kept 2027-01-15)/mine")
            let url = try await machine.registry.remove(Self.work, mode: .preserveDirtyUserData)
            if isPowerCut {
                try machine.cutPower()
                try await machine.start()
            }
            let place = try #require(url?.path)
            #expect(place == machine.places + "/Work (kept 2027-01-15) 2")
            try Self.expectGone(machine)
            #expect(try machine.tree(at: place) == Self.edits)
            let tool = try machine.files.facts(of: place + "/a new folder/tool")
            #expect(tool.mode == 0o500)
            #expect(tool.modified == Timestamp(seconds: 1_000_000_000))
            #expect(tool.links == 1)
            let attributes = try machine.files.attributes(of: place + "/a new folder/tool")
            #expect(attributes == ["user.colour": Array("red".utf8)])
            #expect(try machine.files.note(at: place + "/folder/edited") == nil)
            #expect(try machine.tree(at: machine.places + "/Work (kept 2027-01-15)").count == 1)
        }
    }

    @Test("leaves also what was downloaded, and what is here in part under a name that says so")
    func downloads() throws {
        try Machine.play { machine in
            machine.settings.partLength = 8
            machine.settings.partAlignment = 4
            machine.settings.shortLength = 6
            machine.settings.intentLength = 1 << 20
            try await Self.fill(machine)
            machine.network("work").isCut = false
            try await machine.host("work").waitForRest()
            machine.cloud("work").rewrite("away", "a text that comes in parts, and only some")
            try await machine.host("work").waitForRest()
            let file = try await machine.host("work").open(
                machine.node("folder/away"), for: .reading, by: Program(name: "editor"))
            _ = try await file.read(at: 0, count: 6)
            machine.network("work").isCut = true
            try await machine.rewrite("folder/clean", "nobody knows this")
            try await machine.rewrite("folder/edited", "nor this")
            let url = try await machine.registry.remove(
                Self.work, mode: .preserveDownloadedUserData)
            var tree = try machine.tree(at: #require(url?.path))
            let removed = tree.removeValue(forKey: "folder/away.incomplete")
            let part = try #require(removed)
            #expect(part.hasPrefix("a text") && part.contains("\0"))
            #expect(part.utf8.count == 41)
            var expected = Self.edits
            // The cloud has it by now, and there is nothing in it.
            expected["empty here"] = nil
            expected["folder/clean"] = "nobody knows this"
            expected["folder/edited"] = "nor this"
            #expect(tree == expected)
        }
    }

    @Test("leaves what was downloaded also where something newer has not come yet")
    func outdatedDownloads() throws {
        try Machine.play { machine in
            machine.settings.partLength = 8
            machine.settings.partAlignment = 4
            machine.settings.shortLength = 6
            machine.settings.intentLength = 1 << 20
            try await machine.registry.add(
                DomainRecord(identifier: Self.work, displayName: "Work"))
            for name in ["one", "two"] {
                try await machine.write("the first text", named: name, in: .root)
            }
            let host = try machine.host("work")
            try await host.waitForRest()
            machine.network("work").companion.fetchFailure = NSFileProviderError(.cannotSynchronize)
            for name in ["one", "two"] {
                machine.cloud("work").rewrite(name, "another text, which is newer")
            }
            try await machine.executor.sleep(.seconds(30))
            #expect(try machine.stored("one").residence == .dataless)
            let url = try await machine.registry.remove(
                Self.work, mode: .preserveDownloadedUserData)
            let tree = try machine.tree(at: #require(url?.path))
            #expect(tree == ["one": "the first text", "two": "the first text"])
        }
    }

    @Test("leaves what was put aside, what lies in the trash, and what an earlier replica has left")
    func loose() throws {
        try Machine.play { machine in
            try await machine.registry.add(
                DomainRecord(identifier: Self.work, displayName: "Work"))
            let host = try machine.host("work")
            try await machine.write("the text", named: "found", in: .root)
            try await host.waitForRest()
            machine.network("work").isCut = true
            try await machine.rewrite("found", "an edit")
            machine.kill()
            for name in ["replica.db", "contents/unsent.db"] {
                for ending in ["", "-wal", "-shm"] {
                    let path = machine.registryFolder + "/work/replica/" + name + ending
                    if machine.files.exists(path) { try machine.files.remove(path) }
                }
            }
            try await machine.start()
            try await machine.write("nobody wants it", named: "refused", in: .root)
            try await machine.write("rubbish", named: "paper", in: .trash)
            try await machine.executor.sleep(.seconds(2))
            #expect(try machine.host("work").replica.read { try $0.rescued(limit: 9) }.count == 1)
            let url = try await machine.registry.remove(Self.work, mode: .preserveDirtyUserData)
            let tree = try machine.tree(at: #require(url?.path))
            #expect(
                tree == [
                    "Put aside": "/", "Put aside/found": "an edit",
                    "Put aside/refused": "nobody wants it", "Trash": "/", "Trash/paper": "rubbish",
                ])
        }
    }

    @Test(
        "is gone, and its edits are kept once, wherever the machine dies", arguments: [false, true])
    func death(isPowerCut: Bool) throws {
        var deaths = 0
        while try dies(after: deaths, isPowerCut: isPowerCut) { deaths += 1 }
        #expect(deaths > 40)
    }

    /// - Returns: false when the removal came to its end before.
    private func dies(after count: Int, isPowerCut: Bool) throws -> Bool {
        do {
            try Machine.play { machine in
                try await Self.fill(machine)
                let isDead = try await machine.dies(after: count) { registry in
                    _ = try await registry.remove(Self.work, mode: .preserveDirtyUserData)
                }
                guard isDead else { throw Survived() }
                if isPowerCut { try machine.cutPower() }
                try await machine.start()
                if !machine.registry.records().isEmpty {
                    // It had not begun.
                    _ = try await machine.registry.remove(Self.work, mode: .preserveDirtyUserData)
                }
                try Self.expectGone(machine)
                let homes = try machine.files.list(machine.places)
                #expect(homes == ["Work (kept 2027-01-15)"], "after \(count) changes")
                let home = try #require(homes.first)
                let tree = try machine.tree(at: machine.places + "/" + home)
                #expect(tree == Self.edits, "after \(count) changes")
            }
            return true
        } catch is Survived {
            return false
        }
    }

    private struct Survived: Error {}

    @Test("stays as it was when the disk is full", arguments: 0..<30)
    func fullDisk(count: Int) throws {
        try Machine.play { machine in
            try await Self.fill(machine)
            let before = try machine.paths()
            machine.mishap.arm(.full, after: count)
            var failure: (any Error)?
            do {
                _ = try await machine.registry.remove(Self.work, mode: .preserveDirtyUserData)
            } catch {
                failure = error
            }
            let wasFull = machine.mishap.disarm()
            guard let failure else {
                #expect(
                    !wasFull || !machine.registry.records().contains { $0.identifier == Self.work })
                return
            }
            #expect(
                (failure as? CocoaError)?.code == .fileWriteOutOfSpace
                    || (failure as? FileError)?.isOutOfSpace == true)
            if machine.hosted("work") == nil {
                machine.kill()
                try await machine.start()
            }
            #expect(try machine.tree(at: machine.places) == ["Work": "/"])
            #expect(try machine.paths() == before)
            for path in ["a new folder/tool", "folder/edited"] {
                // Nothing of it is for others any more, and it says still what it is.
                let file = try #require(machine.stored(path).file)
                let content = try machine.host("work").replica.contents.path(file)
                #expect(try machine.files.facts(of: content).mode == 0o600)
                #expect(try machine.files.facts(of: content).links == 1)
                #expect(try machine.files.note(at: content) != nil)
            }
            machine.network("work").isCut = false
            try await machine.rewrite("a new folder/tool", "is written here still")
            try await machine.host("work").waitForRest()
            #expect(machine.cloud("work").tree()["folder/edited"] == "the second text")
            #expect(machine.cloud("work").tree()["a new folder/tool"] == "is written here still")
        }
    }

    @Test(
        "stays when whoever hosts it does not end, and goes on",
        arguments: [
            NSFileProviderManager.DomainRemovalMode.removeAll, .preserveDirtyUserData,
        ])
    func stubborn(mode: NSFileProviderManager.DomainRemovalMode) throws {
        try Machine.play { machine in
            try await Self.fill(machine)
            machine.isStubborn = true
            await #expect(throws: POSIXError.self) {
                _ = try await machine.registry.remove(Self.work, mode: mode)
            }
            machine.isStubborn = false
            #expect(machine.registry.records().count == 1)
            machine.kill()
            try await machine.start()
            machine.network("work").isCut = false
            try await machine.host("work").waitForRest()
            #expect(machine.cloud("work").tree()["folder/edited"] == "the second text")
        }
    }

    @Test("leaves also what lies deeper than any path is long")
    func deep() throws {
        try Machine.play { machine in
            try await machine.registry.add(
                DomainRecord(identifier: Self.work, displayName: "Work"))
            machine.network("work").isCut = true
            var folder = NodeID.root
            for _ in 0..<45 {
                folder = try await machine.host("work")
                    .make(String(repeating: "d", count: 200), in: folder, kind: .folder)
            }
            try await machine.write("at the bottom", named: "file", in: folder)
            let url = try await machine.registry.remove(Self.work, mode: .preserveDirtyUserData)
            let tree = try machine.tree(at: #require(url?.path))
            #expect(tree.values.filter { $0 == "at the bottom" }.count == 1)
            #expect(tree.count == 45 + 2)
            #expect(tree["Deeper folders"] == "/")
            try Self.expectGone(machine)
        }
    }
}
