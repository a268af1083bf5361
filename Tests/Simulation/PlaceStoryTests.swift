import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Foundation
import Testing

@Suite("Where a domain lies")
struct PlaceStoryTests {
    @Test("is known: where people see an item, and which one they see there")
    func places() throws {
        try Stage.play { cloud, device in
            let folder = try await device.makeFolder("a folder", in: .root)
            let file = try await device.create("ü?#.txt", in: folder, "text")
            let gone = try await device.create("gone", in: .root, "text")
            try await device.host.waitForRest()
            try await device.move(gone, to: .trash, as: "gone")
            try await device.host.waitForRest()
            let identifier = try device.identifier(of: file)
            let refused = await #expect(throws: (any Error).self) {
                try await device.manager.getUserVisibleURL(for: identifier)
            }
            #expect((refused as? CocoaError)?.code == .featureUnsupported)

            device.system.show(.init("Work"), at: "/home/ada/Basket/Work")
            let url = try await device.manager.getUserVisibleURL(for: identifier)
            #expect(url.path == "/home/ada/Basket/Work/a folder/ü?#.txt")
            let trashed = await #expect(throws: (any Error).self) {
                try await device.manager.getUserVisibleURL(for: device.identifier(of: gone))
            }
            #expect((trashed as? CocoaError)?.code == .fileNoSuchFile)
            let root = try await device.manager.getUserVisibleURL(for: .rootContainer)
            #expect(root.path == "/home/ada/Basket/Work")

            func place(_ path: String) async throws -> UserVisiblePlace {
                let system = device.system
                return try await withCheckedThrowingContinuation { done in
                    system.place(ofUserVisibleFileAt: URL(fileURLWithPath: path)) {
                        done.resume(with: $0)
                    }
                }
            }
            #expect(
                try await place(url.path)
                    == UserVisiblePlace(item: identifier, domain: .init("Work")))
            #expect(try await place("/home/ada/Basket/Work/").item == .rootContainer)
            device.network.isCut = true
            _ = try await device.create("new", in: .root, "text")
            for path in ["new", "nothing", "a folder/x", "../Work2/a folder", "../../Basket"] {
                let error = await #expect(throws: (any Error).self) {
                    try await place("/home/ada/Basket/Work/" + path)
                }
                #expect((error as? CocoaError)?.code == .fileNoSuchFile, "\(path)")
            }
        }
    }

    @Test("has folders for what is handed over, and for what the extension keeps")
    func folders() throws {
        try Stage.play { _, device in
            let state = try device.manager.stateDirectoryURL()
            let temporary = try device.manager.temporaryDirectoryURL()
            #expect(state != temporary)
            try Data("state".utf8).write(to: state.appendingPathComponent("file"))
            try Data("part".utf8).write(to: temporary.appendingPathComponent("file"))
            await device.stop()
            try await device.start()
            #expect(try device.manager.stateDirectoryURL() == state)
            #expect(
                try Data(contentsOf: state.appendingPathComponent("file")) == Data("state".utf8))
        }
    }

    @Test("cannot be that of a known folder: nobody could be asked whether it may")
    func knownFolders() throws {
        try Stage.play { _, device in
            let locations = NSFileProviderKnownFolderLocations()
            locations.desktopLocation = .init(
                parentItemIdentifier: .rootContainer, filename: "Desktop")
            let claimed = await #expect(throws: CocoaError.self) {
                try await device.manager.claimKnownFolders(locations, localizedReason: "to test")
            }
            #expect(claimed?.code == .featureUnsupported)
            let released = await #expect(throws: CocoaError.self) {
                try await device.manager.releaseKnownFolders(.desktop, localizedReason: "to test")
            }
            #expect(released?.code == .featureUnsupported)
        }
    }

    @Test(
        "keeps what is said of its root, and the provider is not asked to change that"
    )
    func root() throws {
        try Stage.play { cloud, device in
            try await device.host.waitForRest()
            try await device.host.setAttributes(of: .root) { $0.flags = [.userReadable] }
            try await device.host.waitForRest()

            #expect(device.network.modified.isEmpty)
            let root = try device.replica.read { try $0.node(.root)?.trees.local }
            #expect(root?.attributes.flags == [.userReadable])
            cloud.add("a", "text")
            try await device.host.waitForRest()
            #expect(try device.replica.read { try $0.trouble(of: .root) } == nil)
        }
    }
}
