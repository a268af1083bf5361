import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Foundation
import Glibc
import Testing

@Suite("A removal with which something goes wrong")
struct RemovalMishapTests {
    private static let work = NSFileProviderDomainIdentifier("work")

    private static func fill(_ machine: Machine) async throws {
        try await machine.registry.add(DomainRecord(identifier: work, displayName: "Work"))
        try await machine.write("the provider has it", named: "clean", in: .root)
        try await machine.host("work").waitForRest()
    }

    private static func edit(_ machine: Machine) async throws {
        machine.network("work").isCut = true
        try await machine.write("nobody else has it", named: "edited", in: .root)
        try await machine.host("work").replica.synchronise()
    }

    private static let kept = "/Work (kept 2027-01-15)"

    private static func replica(_ machine: Machine) -> String {
        machine.registryFolder + "/work/replica"
    }

    @Test(
        "keeps what could not be imported, also when there is nothing else, on whatever volume",
        arguments: [(false, false), (false, true), (true, false), (true, true)])
    func notImported(isElsewhere: Bool, hasEdits: Bool) throws {
        try Machine.play { machine in
            try await Self.fill(machine)
            if hasEdits { try await Self.edit(machine) }
            try machine.put("a text", at: Self.replica(machine) + "/not imported/folder/theirs")
            if isElsewhere {
                machine.mishap.refusesLinks = true
                machine.mishap.otherVolume = machine.places
            }
            let url = try await machine.registry.remove(Self.work, mode: .preserveDirtyUserData)
            var expected = [
                "Not imported": "/", "Not imported/folder": "/",
                "Not imported/folder/theirs": "a text",
            ]
            if hasEdits { expected["edited"] = "nobody else has it" }
            #expect(try machine.tree(at: #require(url?.path)) == expected)
            #expect(try machine.tree(at: machine.registryFolder).isEmpty)
            #expect(try machine.files.list(machine.places).count == 1)
        }
    }

    @Test(
        "does not happen when what could not be imported cannot go along", arguments: [false, true])
    func notImportedStays(isMoved: Bool) throws {
        try Machine.play { machine in
            try await Self.fill(machine)
            let place = Self.replica(machine) + "/not imported/theirs"
            try machine.put("a text", at: place)
            let replica = Self.replica(machine)
            machine.mishap.refuse { operation, path in
                isMoved
                    ? operation == .synchronise && path == replica ? EIO : nil
                    : operation == .rename && path == replica + "/not imported" ? EIO : nil
            }
            await #expect(throws: FileError.self) {
                _ = try await machine.registry.remove(Self.work, mode: .preserveDirtyUserData)
            }
            machine.mishap.refuse(nil)
            if isMoved {
                // It could not be said that it had come back.
                machine.kill()
                try await machine.start()
            } else {
                #expect(machine.hosted("work") != nil)
                #expect(try machine.files.contents(of: place) == Array("a text".utf8))
            }
            if machine.registry.records().isEmpty {
                let kept = try machine.tree(at: machine.places + Self.kept)
                #expect(kept["Not imported/theirs"] == "a text")
            } else {
                #expect(try machine.files.contents(of: place) == Array("a text".utf8))
            }
        }
    }

    @Test("leaves the replica where it is while the volume is away on which lies what is kept")
    func unmounted() throws {
        try Machine.play { machine in
            try await Self.fill(machine)
            try await Self.edit(machine)
            machine.mishap.refuse { operation, path in
                operation == .rename && path.contains("/.basket-kept/") ? EIO : nil
            }
            await #expect(throws: FileError.self) {
                _ = try await machine.registry.remove(Self.work, mode: .preserveDirtyUserData)
            }
            machine.mishap.refuse(nil)
            machine.kill()
            let away = machine.folder + "/away"
            try machine.files.rename(machine.places, to: away)
            try await machine.start()
            #expect(machine.files.exists(Self.replica(machine) + "/replica.db"))
            machine.kill()
            try machine.files.removeFolder(machine.places)
            try machine.files.rename(away, to: machine.places)
            try await machine.start()
            #expect(
                try machine.tree(at: machine.places + Self.kept)
                    == ["edited": "nobody else has it"])
            #expect(try machine.tree(at: machine.registryFolder).isEmpty)
        }
    }

    @Test("keeps more when somebody asks for that before anything has gone")
    func gentler() throws {
        try Machine.play { machine in
            try await Self.fill(machine)
            try await Self.edit(machine)
            let replica = Self.replica(machine)
            machine.mishap.refuse { operation, path in
                operation == .rename && path == replica ? EIO : nil
            }
            await #expect(throws: FileError.self) {
                _ = try await machine.registry.remove(Self.work, mode: .removeAll)
            }
            machine.mishap.refuse(nil)
            let url = try await machine.registry.remove(Self.work, mode: .preserveDirtyUserData)
            #expect(try machine.tree(at: #require(url?.path)) == ["edited": "nobody else has it"])
        }
    }

    @Test("does not happen while the replica cannot be looked at")
    func unseen() throws {
        try Machine.play { machine in
            try await Self.fill(machine)
            try await Self.edit(machine)
            let replica = Self.replica(machine)
            machine.mishap.refuse { operation, path in
                operation == .look && path == replica ? EIO : nil
            }
            await #expect(throws: FileError.self) {
                _ = try await machine.registry.remove(Self.work, mode: .preserveDirtyUserData)
            }
            machine.mishap.refuse(nil)
            #expect(try await machine.read("edited") == "nobody else has it")
        }
    }

    @Test("says of a file whose bytes are nowhere that it was there")
    func missing() throws {
        try Machine.play { machine in
            try await Self.fill(machine)
            try await Self.edit(machine)
            let file = try #require(machine.stored("edited").file)
            try machine.files.remove(machine.host("work").replica.contents.path(file))
            let url = try await machine.registry.remove(Self.work, mode: .preserveDirtyUserData)
            #expect(try machine.tree(at: #require(url?.path)) == ["edited.missing": ""])
        }
    }

    @Test(
        "keeps what is said of a file beside it, where the disk does not take so much of that",
        arguments: [false, true])
    func fullOfAttributes(isFull: Bool) throws {
        try Machine.play { machine in
            try await Self.fill(machine)
            try await Self.edit(machine)
            try await machine.host("work").replica.write { transaction in
                try transaction.setAttributes(of: machine.node("edited", transaction.reader)) {
                    $0.extended = ["user.colour": Data("red".utf8)]
                }
            }
            machine.mishap.refuse { operation, path in
                let isRefused =
                    operation == .setAttribute || isFull && path.hasSuffix(".attributes")
                return isRefused ? ENOSPC : nil
            }
            guard isFull else {
                let url = try await machine.registry.remove(
                    Self.work, mode: .preserveDirtyUserData)
                let tree = try machine.tree(at: #require(url?.path))
                #expect(
                    tree == [
                        "edited": "nobody else has it",
                        "edited.attributes": "user.colour=cmVk\n",
                    ])
                return
            }
            let error = await #expect(throws: CocoaError.self) {
                _ = try await machine.registry.remove(Self.work, mode: .preserveDirtyUserData)
            }
            #expect(error?.code == .fileWriteOutOfSpace)
            machine.mishap.refuse(nil)
            #expect(try await machine.read("edited") == "nobody else has it")
        }
    }

    @Test("removes no file that somebody has put where the domain was seen")
    func file() throws {
        try Machine.play { machine in
            try await Self.fill(machine)
            try machine.files.removeFolder(machine.places + "/Work")
            try machine.put("mine", at: machine.places + "/Work")
            _ = try await machine.registry.remove(Self.work, mode: .removeAll)
            #expect(try machine.tree(at: machine.places) == ["Work": "mine"])
        }
    }

    @Test("is nobody else's to do: a registry's folder is one registry's")
    func lock() throws {
        try Machine.play { machine in
            let settings = RegistrySettings(
                folder: machine.folder + "/other", places: machine.folder + "/other places",
                boot: "1"
            ) { _ in throw CocoaError(.featureUnsupported) }
            let process = SimulatedProcess(machine.executor)
            let world = machine.executor.world(of: process, files: machine.files)
            let one = try DomainRegistry(settings: settings, hosting: machine, world: world)
            #expect(throws: FileLock.Held.self) {
                _ = try DomainRegistry(settings: settings, hosting: machine, world: world)
            }
            #expect(one.records().isEmpty)
        }
    }
}
