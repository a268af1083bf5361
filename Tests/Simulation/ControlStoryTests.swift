import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Foundation
import Testing

@Suite("Who controls a domain")
struct ControlStoryTests {
    @Test("sees how it is, and why an item is not at the provider yet")
    func status() throws {
        try Stage.play { _, device in
            _ = try await device.create("a", in: .root, "text")
            try await device.host.waitForRest()
            let calm: Status = try await device.ask(ControlRequest(.status))
            #expect(calm.isSafe && calm.isConnected && calm.stage == "following")
            #expect(calm.pending == 0 && calm.troubles.isEmpty && calm.bytesHere == 4)

            device.network.refusal = .insufficientQuota
            let folder = try await device.makeFolder("folder", in: .root)
            let file = try await device.create("b", in: folder, "more text")
            try await device.wait(seconds: 10)

            let full: Status = try await device.ask(ControlRequest(.status))
            #expect(!full.isSafe && full.pending == 2)
            #expect(full.troubles.map(\.item.path) == ["folder"])
            let trouble = full.troubles.first?.trouble
            #expect(trouble?.code == NSFileProviderError.Code.insufficientQuota.rawValue)
            #expect((trouble?.retry ?? "") > (trouble?.since ?? ""))
            let story: ItemStory = try await device.ask(device.request(.why, "folder/b"))
            #expect(story.state.item.node == file.rawValue && story.state.item.size == 9)
            #expect(story.state.item.identifier == nil)
            #expect(story.state.next == "It waits until its folder is at the provider.")
            #expect(story.state.waitsFor?.path == "folder")
            #expect(story.keeps == .unsent && story.report.item == "")
            #expect(story.report.local?.name == "b" && story.report.remote == nil)
            #expect(story.report.local?.content?.contains("without a version") == true)
        }
    }

    @Test("sees why a file that is to be kept here is not, though nobody waits for it")
    func download() throws {
        try Stage.play { cloud, device in
            try await device.host.waitForRest()
            device.network.companion.fetchFailure = CocoaError(.fileReadNoPermission)
            cloud.add("pinned", "text")
            try await device.host.waitForRest()
            try await device.wait(seconds: 10)

            let status: Status = try await device.ask(ControlRequest(.status))
            #expect(status.pending == 0 && status.troubles.map(\.item.path) == ["pinned"])
            let trouble = try #require(status.troubles.first?.trouble)
            #expect(trouble.code == CocoaError.Code.fileReadNoPermission.rawValue)
            #expect(trouble.attempts > 1 && trouble.retry > trouble.since)
            let story: ItemStory = try await device.ask(device.request(.why, "pinned"))
            #expect(story.state.trouble?.code == trouble.code)

            device.network.companion.fetchFailure = nil
            try await device.wait(seconds: 400)
            let calm: Status = try await device.ask(ControlRequest(.status))
            #expect(calm.troubles.isEmpty && calm.bytesHere == 4)
        }
    }

    @Test("sees what is on its way, and how far that is")
    func transfers() throws {
        try Stage.play { cloud, device in
            cloud.add("b", "text of b")
            try await device.host.waitForRest()
            device.network.delay = .seconds(10)
            device.network.reportsEvery = .seconds(1)
            _ = try await device.create("a", in: .root, "text")
            _ = try await device.ask(device.request(.download, "b"), as: ControlDone.self)
            try await device.wait(seconds: 8)
            let status: Status = try await device.ask(ControlRequest(.status))
            #expect(status.transfers.map(\.item?.path) == ["a", "b"])
            #expect(status.transfers.map(\.isUpload) == [true, false])
            #expect(status.transfers.map(\.bytes) == [4, 9])
            #expect(status.transfers.allSatisfy { (1..<$0.bytes).contains($0.completedBytes) })
            #expect(status.uploads.files == 1 && status.downloads.files == 1)
            try await device.host.waitForRest()
            try await device.wait(seconds: 30)
            let calm: Status = try await device.ask(ControlRequest(.status))
            #expect(calm.transfers.isEmpty && calm.isSafe)
        }
    }

    @Test("sees what is here, for whom and why it stays, and has it go and come")
    func contents() throws {
        try Stage.play { cloud, device in
            for name in ["a", "pinned", "open"] { cloud.add(name, "text of \(name)") }
            try await device.host.waitForRest()
            let ids = try device.nodes().reduce(into: [:]) { $0[$1.path] = $1.node.id }
            let a = try #require(ids["a"])
            _ = try await device.text(of: a)
            let program = try await device.open(try #require(ids["open"]), for: .reading)
            _ = try await program.read(at: 0, count: 100)

            let cache: Listed<CachedContent> = try await device.ask(ControlRequest(.cache))
            let reasons = cache.entries.reduce(into: [:]) { $0[$1.item.path] = $1.reason }
            #expect(reasons == ["a": .mayGo, "pinned": .pinned, "open": .inUse])
            var page = ControlRequest(.cache)
            page.limit = 2
            let first: Listed<CachedContent> = try await device.ask(page)
            page.after = first.next
            let second: Listed<CachedContent> = try await device.ask(page)
            #expect((first.entries + second.entries) == cache.entries)
            let hydrations: Listed<HydrationEntry> = try await device.ask(
                ControlRequest(.hydrations))
            #expect(
                hydrations.entries.first { $0.item?.path == "a" }?.program == "editor")
            var part = ControlRequest(.hydrations)
            part.limit = 1
            var one: [HydrationEntry] = []
            repeat {
                let next: Listed<HydrationEntry> = try await device.ask(part)
                one += next.entries
                part.after = next.next
            } while part.after != nil
            #expect(one == hydrations.entries && one.count > 1)
            let here: Listed<ItemState> = try await device.ask(ControlRequest(.materialised))
            #expect(Set(here.entries.map(\.item.path)).isSuperset(of: ["a", "pinned", "open"]))

            for (name, code) in [
                ("pinned", ControlError.Code.pinned), ("open", .inUse), ("none", .noSuchItem),
            ] {
                let error = await #expect(throws: ControlError.self) {
                    _ = try await device.ask(
                        device.request(.evict, name), as: ControlDone.self)
                }
                #expect(error?.code == code && error?.item?.path == name)
            }
            _ = try await device.ask(device.request(.evict, "a"), as: ControlDone.self)
            #expect(try device.residence(of: a) == .dataless)
            let waiting = device.request(.download, "a") { $0.waits = true }
            _ = try await device.ask(waiting, as: ControlDone.self)
            #expect(try device.residence(of: a) == .whole)
            _ = try await device.ask(device.request(.evict, "a"), as: ControlDone.self)
            _ = try await device.ask(device.request(.download, "a"), as: ControlDone.self)
            try await device.wait(seconds: 5)
            #expect(try device.residence(of: a) == .whole)
            try await program.close()
        }
    }

    @Test(
        "has something in a folder stay for its own reason, which is named",
        arguments: [
            ("pinned", ControlError.Code.pinned), ("open", .inUse), ("new", .unsent),
        ])
    func evictionOfFolder(name: String, code: ControlError.Code) throws {
        try Stage.play { _, device in
            let folder = try await device.makeFolder("folder", in: .root)
            try await device.host.waitForRest()
            if name == "new" { device.network.isCut = true }
            let file = try await device.create(name, in: folder, "text")
            if name != "new" { try await device.host.waitForRest() }
            let program = name == "open" ? try await device.open(file, for: .reading) : nil
            let error = await #expect(throws: ControlError.self) {
                _ = try await device.ask(device.request(.evict, "folder"), as: ControlDone.self)
            }
            #expect(error?.code == code && error?.item?.path == "folder")
            #expect(error?.message.contains("“folder/\(name)”") == true)
            try await program?.close()
        }
    }

    @Test("sees which lines of an ignore list are passed over, and why")
    func flawedList() throws {
        try Stage.play { _, device in
            _ = try await device.create(".basketignore", in: .root, "[abc\n*.log\n[z-a]\n")
            _ = try await device.create("a.log", in: .root, "text")
            try await device.host.waitForRest()
            let list: ItemStory = try await device.ask(device.request(.why, ".basketignore"))
            #expect(list.flaws.map(\.line) == [1, 3])
            #expect(list.flaws.first?.message.contains("is not closed") == true)
            let few: ItemStory = try await device.ask(
                device.request(.why, ".basketignore") { $0.limit = 1 })
            #expect(few.flaws.map(\.line) == [1])
            let other: ItemStory = try await device.ask(device.request(.why, "a.log"))
            #expect(other.flaws.isEmpty)
        }
    }

    @Test("decides about removals that are held back", arguments: [true, false])
    func removals(areMeant: Bool) throws {
        try Stage.play { cloud, device in
            let folder = try await device.makeFolder("folder", in: .root)
            var files: [NodeID] = []
            for number in 0..<40 {
                files.append(try await device.create("\(number)", in: folder, "text \(number)"))
            }
            try await device.host.waitForRest()
            for file in files[..<30] { try await device.remove(file) }
            try await device.wait(seconds: 60)

            var request = ControlRequest(.removals)
            request.limit = 20
            let first: Listed<ItemState> = try await device.ask(request)
            request.after = first.next
            let rest: Listed<ItemState> = try await device.ask(request)
            #expect(first.entries.count == 20 && rest.entries.count == 10 && rest.next == nil)
            #expect(first.entries.first?.item.path == "folder/0")
            #expect(first.entries.first?.next.contains("removals") == true)
            let status: Status = try await device.ask(ControlRequest(.status))
            #expect(status.heldRemovals == 30 && !status.isSafe)

            let count: RemovalCount = try await device.ask(
                ControlRequest(areMeant ? .applyRemovals : .undoRemovals))
            #expect(count.removals == 30)
            try await device.host.waitForRest()
            #expect(cloud.tree().count == (areMeant ? 11 : 41))
            #expect(try device.nodes().count == (areMeant ? 11 : 41))
        }
    }

    @Test("has it pause and go on, and is told when all is with the provider")
    func waiting() throws {
        try Stage.play { cloud, device in
            try await device.host.waitForRest()
            let pause = device.request(.pause) { $0.reason = "On a train" }
            _ = try await device.ask(pause, as: ControlDone.self)
            _ = try await device.create("a", in: .root, "text")
            let paused: Status = try await device.ask(ControlRequest(.status))
            #expect(!paused.isConnected && paused.reason == "On a train" && !paused.isSafe)
            let error = await #expect(throws: ControlError.self) {
                _ = try await device.ask(ControlRequest(.wait), as: ControlDone.self)
            }
            #expect(error?.code == .disconnected && error?.remedy.contains("resume") == true)
            #expect(cloud.tree().isEmpty)
            device.network.delay = .seconds(5)
            _ = try await device.ask(ControlRequest(.resume), as: ControlDone.self)

            let lines = try await device.lines(ControlRequest(.wait, id: "7")).map {
                try JSONDecoder().decode(ControlReply<ControlDone>.self, from: $0)
            }

            #expect(cloud.tree() == ["a": "text"])
            #expect(lines.allSatisfy { $0.id == "7" })
            #expect(lines.last?.answer == ControlDone())
            #expect(lines.count > 1 && lines.dropLast().allSatisfy { $0.progress != nil })
            #expect(lines.first?.progress?.pending == 1)
            let pending: Listed<ItemState> = try await device.ask(ControlRequest(.pending))
            #expect(pending.entries.isEmpty)
            // What it was not told of, because the network was away.
            device.network.isCut = true
            cloud.add("b", "text")
            device.network.isCut = false
            try await device.host.waitForRest()
            #expect(try device.nodes().map(\.path) == ["a"])
            _ = try await device.ask(ControlRequest(.look), as: ControlDone.self)
            try await device.host.waitForRest()
            #expect(try device.nodes().map(\.path) == ["a", "b"])
        }
    }

    @Test("sees what waits, with why")
    func pending() throws {
        try Stage.play { _, device in
            let file = try await device.create("a", in: .root, "text")
            try await device.host.waitForRest()
            device.network.refusal = .notAuthenticated
            try await device.write("more", to: file)
            try await device.wait(seconds: 20)
            let pending: Listed<ItemState> = try await device.ask(ControlRequest(.pending))
            #expect(pending.entries.map(\.item.path) == ["a"])
            #expect(
                pending.entries.first?.trouble?.code
                    == NSFileProviderError.Code.notAuthenticated.rawValue)
            let error = await #expect(throws: ControlError.self) {
                _ = try await device.ask(ControlRequest(.wait), as: ControlDone.self)
            }
            #expect(error?.code == .notSignedIn || error?.code == .cannotSynchronise)
        }
    }

    private static func declaration() throws -> ExtensionDeclaration {
        let json = """
            {"NSExtensionFileProviderActions": [
                {"NSExtensionFileProviderActionIdentifier": "cloud.pin",
                 "NSExtensionFileProviderActionName": "Keep here",
                 "NSExtensionFileProviderActionActivationRule": "fileproviderItems.@count == 1"}],
             "NSFileProviderDecorations": [
                {"Identifier": "open", "Category": "Badge", "BadgeImageType": "a.badge",
                 "Label": "Open"}],
             "NSFileProviderUserInteractions": [
                {"ActivationRule": "action == 'Trash'", "SubInteractions": [],
                 "SuppressionIdentifier": "trash",
                 "Alert": {"LocalizedTitle": "Really?", "LocalizedSubTitle": "It goes."}}]}
            """
        let values = try JSONSerialization.jsonObject(with: Data(json.utf8))
        return ExtensionDeclaration(try #require(values as? [String: Any]))
    }

    @Test("reaches what the extension offers beside files")
    func companions() throws {
        try Stage.play(declaring: try Self.declaration()) { _, device in
            _ = try await device.create("team", in: .root, "text")
            _ = try await device.create("b", in: .root, "text")
            try await device.host.waitForRest()
            let actions: Listed<OfferedAction> = try await device.ask(
                device.request(.actions, "team"))
            #expect(actions.entries == [OfferedAction(identifier: "cloud.pin", name: "Keep here")])
            let perform = device.request(.perform, "team") { $0.name = "cloud.pin" }
            _ = try await device.ask(perform, as: ControlDone.self)
            _ = try await device.ask(device.request(.pin, "b"), as: ControlDone.self)
            #expect(device.network.companion.actions.count == 2)
            for request in [device.request(.unpin, "b"), device.request(.pin, "b", "team")] {
                let error = await #expect(throws: ControlError.self) {
                    _ = try await device.ask(request, as: ControlDone.self)
                }
                #expect(error?.code == .noSuchAction)
            }
            let marks: Listed<ShownMark> = try await device.ask(
                device.request(.decorations, "team"))
            #expect(marks.entries.map(\.identifier) == ["open"])

            var picture = device.request(.thumbnails, "team", "b")
            picture.pixels = 64
            let pictures: Listed<ThumbnailEntry> = try await device.ask(picture)
            #expect(pictures.entries.map(\.item.path) == ["team", "b"])
            #expect(pictures.entries.map(\.picture) == [Data("text".utf8), Data("text".utf8)])
            picture.pixels = 0
            let tooSmall = await #expect(throws: ControlError.self) {
                _ = try await device.ask(picture, as: Listed<ThumbnailEntry>.self)
            }
            #expect(tooSmall?.code == .badField)

            let trash = device.request(.interactions, "b") { $0.action = "Trash" }
            let alert: ShownAlert = try await device.ask(trash)
            let suppress = device.request(.suppress) { $0.name = alert.suppression }
            #expect(alert.title == "Really?")
            _ = try await device.ask(suppress, as: ControlDone.self)
            let none: ShownAlert = try await device.ask(trash)
            #expect(none.title == nil)

            let services: Listed<OfferedServiceName> = try await device.ask(
                device.request(.services, "b"))
            #expect(services.entries.map(\.name) == ["cloud.open", "cloud.manage"])
            let open = device.request(.service, "b") { $0.name = "cloud.open" }
            let place: ServicePlace = try await device.ask(open)
            #expect(place.socket.hasPrefix("/run/cloud.open/"))
        }
    }

    @Test("finds what was kept aside, and where")
    func rescued() throws {
        try Stage.play { _, device in
            try await device.host.waitForRest()
            _ = try await device.create("refused", in: .root, "only here")
            try await device.host.waitForRest()
            let kept: Listed<RescuedEntry> = try await device.ask(ControlRequest(.rescued))
            let entry = try #require(kept.entries.first)
            #expect(kept.entries.count == 1 && kept.next == nil)
            #expect(entry.path == "refused" && entry.size == 9)
            #expect(try device.disk.contents(of: entry.file) == Array("only here".utf8))
            let status: Status = try await device.ask(ControlRequest(.status))
            #expect(status.rescued == 1 && !status.isSafe)
        }
    }

    @Test("searches, and sees which of what is found is here")
    func search() throws {
        var settings = HostSettings()
        settings.supportsSearch = true
        try Stage.play(settings: settings) { cloud, device in
            cloud.add("note", "text")
            try await device.host.waitForRest()
            let request = device.request(.search) { $0.words = "note" }
            let found: Listed<FoundEntry> = try await device.ask(request)
            #expect(found.entries.map(\.item?.path) == ["note"])
        }
    }

    @Test("drives a domain in the interactive testing mode")
    func operations() throws {
        var settings = HostSettings()
        settings.testingModes = .interactive
        try Stage.play(settings: settings) { cloud, device in
            let desk = ControlDesk(device.host)
            _ = try await device.create("a", in: .root, "text")
            var rounds = 0
            while rounds < 20 {
                let next: Listed<OperationEntry> = try await device.ask(
                    ControlRequest(.operations), of: desk)
                if next.entries.isEmpty { break }
                var run = ControlRequest(.run)
                run.operations = [0]
                let done: Listed<OperationResult> = try await device.ask(run, of: desk)
                #expect(done.entries == [OperationResult(number: 0, error: nil)])
                rounds += 1
            }
            #expect(cloud.tree() == ["a": "text"])
            #expect(rounds > 1)
        }
    }
}
