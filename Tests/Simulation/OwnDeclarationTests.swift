import BasketConnection
import BasketModels
import BasketProvider
import FileProvider
import FileProviderHost
import FileProviderReplica
import Foundation
import Testing

@Suite("Basket's own declaration")
struct OwnDeclarationTests {
    @Test("has everything that items tell and that can be done with them, and nothing else")
    func complete() {
        let declaration = ExtensionDeclaration(reading: BasketExtension.declaration)
        #expect(declaration.problems == [])
        #expect(declaration.actions.map(\.identifier) == ItemAction.allCases.map(\.identifier))
        #expect(
            declaration.decorations.map(\.identifier) == Decoration.allCases.map(\.identifier))
        for decoration in declaration.decorations {
            #expect((decoration.category == .badge) == (decoration.badgeType != nil))
        }
        #expect(declaration.interactions.count == 5)
    }

    /// Without the `basket.` that all of them begin with.
    private func offered(_ device: Device, _ items: NodeID...) throws -> Set<String> {
        Set(
            try device.host.actions(for: items).map {
                String($0.identifier.rawValue.dropFirst("basket.".count))
            })
    }

    private func labels(_ device: Device, _ item: NodeID) throws -> [String?] {
        try device.host.decorations(of: item).map(\.label)
    }

    private static let always: Set<String> = ["pin", "favorite", "lock"]
    private static let ofFiles = always.union(["restore-previous"])

    @Test("offers what can be done with an item as it is")
    func actions() throws {
        try ServerStage.play { stage in
            let device = try await stage.device("laptop")
            let folder = try await device.makeFolder("folder", in: .root)
            let file = try await device.create("file.txt", in: .root, "text")
            try await device.host.waitForRest()
            #expect(try offered(device, .root) == ["pin"])
            #expect(try offered(device, .trash) == [])
            #expect(try offered(device, folder) == Self.always)
            #expect(try offered(device, file) == Self.ofFiles)
            #expect(try offered(device, folder, file) == Self.always)
            let opposites: [(ItemAction, gone: String, new: Set<String>)] = [
                (.pin, "pin", ["unpin"]), (.favorite, "favorite", ["unfavorite"]),
                (.lock, "lock", ["unlock"]),
            ]
            for (action, gone, new) in opposites {
                try await device.host.perform(action.identifier, on: [file])
                try await device.wait(seconds: 5)
                #expect(try offered(device, file) == Self.ofFiles.subtracting([gone]).union(new))
                #expect(try offered(device, folder, file) == Self.always.union(new))
                try await device.host.perform(
                    .init("basket." + (new.first ?? "")), on: [file])
                try await device.wait(seconds: 5)
                #expect(try offered(device, file) == Self.ofFiles)
            }
            // Who wants it kept here, and it is already, has that done.
            for ask in [ControlCommand.pin, .pin, .unpin, .unpin] {
                _ = try await device.ask(device.request(ask, "file.txt"), as: ControlDone.self)
                try await device.wait(seconds: 5)
                #expect(try offered(device, file).contains("unpin") == (ask == .pin))
            }
            try await device.move(file, to: .trash, as: "file.txt")
            try await device.host.waitForRest()
            #expect(try offered(device, file) == [])
        }
    }

    @Test("brings back the previous version, and by the same word the one that gave way")
    func restored() throws {
        try ServerStage.play { stage in
            let device = try await stage.device("laptop")
            let file = try await device.create("file.txt", in: .root, "first")
            try await device.host.waitForRest()
            await #expect(throws: (any Error).self) {
                try await device.host.perform(ItemAction.restorePrevious.identifier, on: [file])
            }
            try await device.write("second", to: file)
            try await device.host.waitForRest()
            for text in ["first", "second"] {
                try await device.host.perform(ItemAction.restorePrevious.identifier, on: [file])
                try await device.wait(seconds: 5)
                #expect(try await device.text(of: file) == text)
            }
        }
    }

    /// Bytes that lost a race at the server.
    private func lose(
        _ text: String, of id: NodeID, _ device: Device, _ connection: ServerConnection
    ) async throws {
        let item = try device.identifier(of: id).rawValue
        let base = try await connection.item(item, in: "Work").contentVersion
        try await device.write("what won", to: id)
        try await device.host.waitForRest()
        _ = try await connection.putContent(
            .bytes(Array(text.utf8)), of: item, in: "Work", base: .versionOrKeep(base))
        try await device.wait(seconds: 5)
    }

    @Test("marks what is pinned, a favourite, open elsewhere, in conflict or shared, and says so")
    func decorations() throws {
        try ServerStage.play { stage in
            let device = try await stage.device("laptop")
            let file = try await device.create("file.txt", in: .root, "text")
            try await device.host.waitForRest()
            #expect(try labels(device, file) == [])
            #expect(try labels(device, .root) == [])
            for (action, label) in [
                (ItemAction.favorite, "A favourite"), (.pin, "Kept on this device"),
            ] {
                try await device.host.perform(action.identifier, on: [file])
                try await device.wait(seconds: 5)
                #expect(try labels(device, file) == [label])
            }
            try await stage.storage.admit("bob", as: .writer)
            let bob = try await stage.storage.connection(for: "bob")
            _ = try await bob.takeLock(on: try device.identifier(of: file).rawValue, in: "Work")
            try await device.wait(seconds: 5)
            #expect(try labels(device, file) == ["Being edited by bob on bob"])
            #expect(try labels(device, .root) == ["Shared with others"])
            #expect(try device.host.decorations(of: .root).map(\.category) == [.sharing])
            // Whose lock it is, only they and the owner may end.
            #expect(try offered(device, file).isSuperset(of: ["lock", "unlock"]))

            try await lose("what lost", of: file, device, bob)
            #expect(try labels(device, file) == ["Versions that wait for a decision: 1"])
            let badge = try device.host.decorations(of: file).first?.badgeType
            #expect(badge == "com.apple.icon-decoration.badge.warning")
            let choices: Set = [
                "conflict.keep-current", "conflict.keep-other", "conflict.keep-all",
            ]
            #expect(try offered(device, file).isSuperset(of: choices))
            #expect(try !offered(device, file).contains("restore-previous"))
            try await device.host.perform(ItemAction.keepOther.identifier, on: [file])
            try await device.wait(seconds: 5)
            #expect(try await device.text(of: file) == "what lost")
            #expect(try offered(device, file).isDisjoint(with: choices))
        }
    }

    @Test("asks before others lose something or see it, and no more than that")
    func interactions() throws {
        try ServerStage.play { stage in
            let device = try await stage.device("laptop")
            let file = try await device.create("file.txt", in: .root, "text")
            let folder = try await device.makeFolder("folder", in: .root)
            try await device.host.waitForRest()
            func title(_ action: UserAction) throws -> String? {
                try device.host.alert(before: action)?.title
            }
            let all: [UserAction] = [
                UserAction(.trash, [file]), UserAction(.delete, [file]),
                UserAction(.moveOut, [file]), UserAction(.copyOut, [file]),
                UserAction(.move, [file], to: folder), UserAction(.rename, [file], named: "b"),
                UserAction(.moveIn, to: folder), UserAction(.copyIn, to: folder),
                UserAction(.create, to: folder, named: "new"),
                UserAction(.excludeFromSync, [file]),
            ]
            #expect(try all.compactMap(title) == [])

            try await stage.storage.admit("bob", as: .writer)
            let bob = try await stage.storage.connection(for: "bob")
            try await device.wait(seconds: 5)
            #expect(
                try all.map(title) == [
                    nil, "“file.txt” will be gone for everybody.",
                    "“file.txt” will be gone for everybody.", nil, nil, nil,
                    "Others will see what you put into “folder”.",
                    "Others will see what you put into “folder”.", nil, nil,
                ])
            #expect(
                try title(UserAction(.delete, [file, folder]))
                    == "2 items will be gone for everybody.")
            #expect(
                try title(UserAction(.copyIn, sourceCount: 3, to: folder))
                    == "Others will see the 3 items that you put into “folder”.")

            try await lose("what lost", of: file, device, bob)
            #expect(
                try title(UserAction(.trash, [folder, file]))
                    == "“file.txt” has versions that nobody has decided on.")
            _ = try await bob.takeLock(on: try device.identifier(of: file).rawValue, in: "Work")
            try await device.wait(seconds: 5)
            let alert = try device.host.alert(before: UserAction(.trash, [file]))
            #expect(alert?.title == "“file.txt” is being edited by bob.")
            #expect(alert?.canContinue == true && alert?.isDestructive == true)

            // What somebody does not want to hear again, also after a restart; what else there is to ask, is asked.
            for suppression in ["basket.locked", "basket.conflict"] {
                device.host.suppress(suppression)
                try await device.wait(seconds: 5)
                await device.stop()
                try await device.start()
                try await device.wait(seconds: 5)
            }
            #expect(try title(UserAction(.trash, [file])) == nil)
            #expect(try title(UserAction(.delete, [file])) != nil)
            device.host.suppress("basket.conflict", false)
            #expect(try title(UserAction(.trash, [file])) != nil)
        }
    }

    @Test("lets whoever may only read know that they can change nothing")
    func reader() throws {
        try ServerStage.play { stage in
            let laptop = try await stage.device("laptop")
            _ = try await laptop.create("file.txt", in: .root, "text")
            try await laptop.host.waitForRest()
            try await stage.storage.admit("eve", as: .reader)
            let device = try await stage.device("eve")
            try await device.host.waitForRest()
            try await device.wait(seconds: 5)
            let file = try #require(
                try device.replica.read { try $0.child("file.txt", of: .root)?.id })
            #expect(try offered(device, file) == ["pin"])
            for action in [UserAction(.trash, [file]), UserAction(.create, to: .root, named: "a")] {
                let alert = try #require(try device.host.alert(before: action))
                #expect(!alert.canContinue)
                #expect(alert.subtitle == "In “Work” you may only read.")
            }
            #expect(try device.host.alert(before: UserAction(.copyOut, [file])) == nil)
        }
    }
}
