import BasketModels
import FileProvider
import FileProviderHost
import FileProviderReplica
import Foundation
import Testing

@Suite("What a provider does not allow")
struct RightsStoryTests {
    /// Something that a person does with what there is.
    struct Deed: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Which item has to allow it, and by which right.
        let needs: [(String, NSFileProviderItemCapabilities)]
        let work: @Sendable (Device, NodeID, NodeID) async throws -> Void

        init(
            _ name: String, _ needs: [(String, NSFileProviderItemCapabilities)],
            _ work: @escaping @Sendable (Device, NodeID, NodeID) async throws -> Void
        ) {
            testDescription = name
            self.needs = needs
            self.work = work
        }
    }

    static let deeds: [Deed] = [
        Deed("writes", [("file", .allowsWriting)]) { device, file, _ in
            try await device.open(file, for: .writing).close()
        },
        Deed("writes anew", [("file", .allowsWriting)]) { device, file, _ in
            try await device.write("new", to: file)
        },
        Deed("makes a file", [("folder", .allowsAddingSubItems)]) { device, _, folder in
            _ = try await device.create("new", in: folder, "new")
        },
        Deed("makes a folder", [("folder", .allowsAddingSubItems)]) { device, _, folder in
            try await device.makeFolder("new", in: folder)
        },
        Deed("makes a link", [("folder", .allowsAddingSubItems)]) { device, _, folder in
            try await device.makeLink("new", in: folder, to: "there")
        },
        Deed("renames", [("file", .allowsRenaming)]) { device, file, _ in
            try await device.move(file, to: .root, as: "new")
        },
        Deed("moves", [("file", .allowsReparenting), ("folder", .allowsAddingSubItems)]) {
            device, file, folder in try await device.move(file, to: folder, as: "file")
        },
        Deed("trashes", [("file", .allowsTrashing)]) { device, file, _ in
            try await device.move(file, to: .trash, as: "file of then")
        },
        Deed("removes", [("file", .allowsDeleting)]) { device, file, _ in
            try await device.remove(file)
        },
        Deed("removes a folder", [("folder", .allowsDeleting)]) { device, _, folder in
            try await device.remove(folder)
        },
        Deed("saves by way of a new file", [("file", .allowsWriting)]) { device, _, _ in
            let new = try await device.create("new", in: .root, "new")
            try await device.move(new, to: .root, as: "file")
        },
        Deed("takes a name", [("other", .allowsRenaming), ("file", .allowsDeleting)]) {
            device, _, _ in
            let other = try device.replica.read { try $0.child("other", of: .root)?.id }
            try await device.move(try #require(other), to: .root, as: "file")
        },
    ]

    private static let everything = NSFileProviderItemCapabilities.allowsEverything

    private static func play(
        _ body:
            @escaping @Sendable (Cloud, Device, _ file: NodeID, _ folder: NodeID) async throws
            -> Void
    ) throws {
        try Stage.play { cloud, device in
            let file = try await device.create("file", in: .root, "text")
            let folder = try await device.makeFolder("folder", in: .root)
            _ = try await device.create("other", in: .root, "other text")
            try await device.host.waitForRest()
            try await body(cloud, device, file, folder)
        }
    }

    @Test("is refused here, and nothing is changed by it", arguments: deeds)
    func refused(deed: Deed) throws {
        for (item, right) in deed.needs {
            try Self.play { cloud, device, file, folder in
                cloud.allow(Self.everything.subtracting(right), with: item)
                try await device.host.waitForRest()
                let before = try device.nodes().map(\.path)
                let error = await #expect(throws: LocalError.self) {
                    try await deed.work(device, file, folder)
                }
                let holder = try #require(
                    try device.replica.read { try $0.child(item, of: .root)?.id })
                #expect(error == .notAllowed(holder))
                let after = try device.nodes().map(\.path).filter { $0 != "new" }
                #expect(after == before)
                #expect(try await device.text(of: file) == "text")
            }
        }
    }

    @Test("is all that is refused", arguments: deeds)
    func allowed(deed: Deed) throws {
        try Self.play { cloud, device, file, folder in
            for item in ["file", "folder", "other"] {
                let rights = deed.needs.filter { $0.0 == item }.map(\.1)
                cloud.allow(rights.reduce(.allowsReading) { $0.union($1) }, with: item)
            }
            try await device.host.waitForRest()
            try await deed.work(device, file, folder)
            try await device.host.waitForRest()
        }
    }

    @Test("does not hold for what the provider has not got, or does not want")
    func local() throws {
        try Self.play { cloud, device, file, folder in
            let stays = try await device.create("stays.local", in: folder, "text")
            try await device.host.waitForRest()
            device.network.isCut = true
            let new = try await device.create("new", in: folder, "text")
            device.network.isCut = false
            cloud.allow(.allowsReading, with: "folder")
            try await device.wait(seconds: 5)
            for id in [stays, new] {
                try await device.write("other text", to: id)
                try await device.move(id, to: folder, as: "renamed \(id.rawValue).local")
                try await device.remove(id)
            }
            // What was the provider's until it did not want it any more.
            cloud.allow([.allowsReading, .allowsRenaming], with: "file")
            try await device.host.waitForRest()
            try await device.move(file, to: .root, as: "file.local")
            try await device.host.waitForRest()
            try await device.write("other text", to: file)
            try await device.remove(file)
        }
    }

    @Test("is what is said of items that may only be read, but for when they were last used")
    func attributes() throws {
        try Self.play { cloud, device, file, _ in
            cloud.allow(.allowsReading, with: "file")
            try await device.host.waitForRest()
            try await device.host.setAttributes(of: file) { $0.lastUsed = $0.created }
            await #expect(throws: LocalError.notAllowed(file)) {
                try await device.host.setAttributes(of: file) { $0.tags = Data([1]) }
            }
            #expect(
                try device.replica.read { try $0.node(file)?.trees.local?.attributes.tags } == nil)
            cloud.allow([.allowsReading, .allowsRenaming], with: "file")
            try await device.host.waitForRest()
            try await device.host.setAttributes(of: file) { $0.tags = Data([1]) }
        }
    }

    @Test("of the trash is to use it, where the domain has none")
    func trash() throws {
        var settings = HostSettings()
        settings.supportsSyncingTrash = false
        try Stage.play(settings: settings) { cloud, device in
            let file = try await device.create("file", in: .root, "text")
            try await device.host.waitForRest()
            await #expect(throws: LocalError.notAllowed(.trash)) {
                try await device.move(file, to: .trash, as: "file")
            }
            try await device.remove(file)
            try await device.host.waitForRest()
        }
    }

    @Test("any more keeps no edit from being sent that was begun before")
    func takenAway() throws {
        try Self.play { cloud, device, file, _ in
            let open = try await device.open(file, for: .writing)
            cloud.allow(.allowsReading, with: "file")
            try await device.host.waitForRest()
            try await open.write(Array("edited".utf8), at: 0)
            try await open.close()
            try await device.host.waitForRest()
            #expect(cloud.tree()["file"] == "edited")
            await #expect(throws: LocalError.notAllowed(file)) {
                try await device.open(file, for: .writing)
            }
        }
    }

    @Test("any more loses no edit that the server does not take now: it is sent when it does")
    func role() throws {
        try ServerStage.play { stage in
            let ann = try await stage.device("laptop")
            _ = try await ann.create("file", in: .root, "text")
            try await ann.host.waitForRest()
            try await stage.storage.admit("bob", as: .writer)
            let bob = try await stage.device("bob")
            try await bob.host.waitForRest()
            let file = try #require(try bob.replica.read { try $0.child("file", of: .root)?.id })
            _ = try await bob.text(of: file)
            bob.network.isCut = true
            try await bob.write("edited", to: file)
            try await stage.storage.admit("bob", as: .reader)
            bob.reconnect()
            try await bob.wait(seconds: 300)
            #expect(try bob.unsent()[file] != nil)
            #expect(try stage.storage.tree(for: "bob")["file"] == "text")
            #expect(try await bob.text(of: file) == "edited")
            await #expect(throws: LocalError.notAllowed(file)) {
                try await bob.write("edited again", to: file)
            }
            await #expect(throws: LocalError.notAllowed(.root)) {
                try await bob.create("new", in: .root, "new")
            }

            try await stage.storage.admit("bob", as: .writer)
            try await bob.wait(seconds: 300)
            #expect(try stage.storage.tree(for: "bob")["file"] == "edited")
            try await bob.write("edited again", to: file)
            _ = try await bob.create("new", in: .root, "new")
        }
    }
}
