import BasketModels
import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Foundation
import Testing

@Suite("An extension's companions")
struct CompanionStoryTests {
    private static func declaration(_ json: String) throws -> ExtensionDeclaration {
        let values = try JSONSerialization.jsonObject(with: Data(json.utf8))
        return ExtensionDeclaration(try #require(values as? [String: Any]))
    }

    private static func action(_ name: String, _ rule: String) -> String {
        """
        {"NSExtensionFileProviderActionIdentifier": "\(name)",
         "NSExtensionFileProviderActionName": "Do \(name)",
         "NSExtensionFileProviderActionActivationRule": "\(rule)"}
        """
    }

    private static func actions(_ rules: [(name: String, rule: String)]) throws
        -> ExtensionDeclaration
    {
        let entries = rules.map { action($0.name, $0.rule) }.joined(separator: ", ")
        return try declaration("{\"NSExtensionFileProviderActions\": [\(entries)]}")
    }

    private static func any(_ rule: String) -> String {
        "SUBQUERY(fileproviderItems, $item, \(rule)).@count > 0"
    }

    // MARK: Actions

    @Test("offers an action by what the provider says of items, and does no other one")
    func actions() throws {
        let declaration = try Self.actions([
            ("always", "TRUEPREDICATE"), ("open", Self.any("$item.userInfo.isOpen == YES")),
            ("two", "fileproviderItems.@count == 2"),
            ("domain", "domainUserInfo.mayOpen == YES"), ("broken", "what ==="),
        ])
        #expect(declaration.problems.count == 1)
        #expect(declaration.problems.first?.contains("entry 5") == true)
        try Stage.play(declaring: declaration) { _, device in
            let team = try await device.create("team", in: .root, "text")
            let other = try await device.create("other", in: .root, "text")
            try await device.host.waitForRest()
            func offered(_ items: [NodeID]) throws -> [String] {
                try device.host.actions(for: items).map(\.identifier.rawValue)
            }
            #expect(try offered([other]) == ["always"])
            #expect(try offered([team]) == ["always", "open"])
            #expect(try offered([team, other]) == ["always", "open", "two"])
            #expect(try offered([]) == [])
            device.network.companion.allowOpening()
            #expect(try offered([other]) == ["always", "domain"])
            #expect(try device.host.actions(for: [other]).first?.name == "Do always")

            try await device.host.perform(.init("open"), on: [team, other])
            let names = try [team, other].map { try device.identifier(of: $0).rawValue }
            #expect(device.network.companion.actions == ["open \(names[0]) \(names[1])"])
            for (action, items) in [("open", [other]), ("unknown", [team]), ("always", [])] {
                let error = await #expect(throws: (any Error).self) {
                    try await device.host.perform(.init(action), on: items)
                }
                #expect((error as? CocoaError)?.code == .featureUnsupported)
            }
            device.network.isCut = true
            let error = await #expect(throws: (any Error).self) {
                try await device.host.perform(.init("always"), on: [team])
            }
            #expect(error.map { NSFileProviderError.serverUnreachable ~= $0 } == true)
        }
    }

    @Test("is asked anew, or later, while what is here is offered once more; what acts, only once")
    func reimport() throws {
        var settings = HostSettings()
        settings.supportsSearch = true
        let declaration = try Self.actions([
            ("always", "TRUEPREDICATE"), ("early", "TRUEPREDICATE"),
        ])
        try Stage.play(settings: settings, declaring: declaration) { _, device in
            let file = try await device.create("a", in: .root, "text")
            try await device.host.waitForRest()
            let (host, name) = (device.host, try device.identifier(of: file).rawValue)
            device.network.delay = .seconds(2)
            async let pictures = host.thumbnails(of: [file], size: CGSize(width: 8, height: 8))
            async let found = host.search("a", limit: 10)
            async let services: Listed<OfferedServiceName> = device.ask(
                device.request(.services, "a"))
            async let early: Void = host.perform(.init("early"), on: [file])
            try await device.wait(seconds: 1)
            try await device.manager.reimportItems(below: .rootContainer)
            async let late: ControlDone = device.ask(
                device.request(.perform, "a") { $0.name = "always" })

            #expect(try await pictures == [file: Data("text".utf8)])
            #expect(try await found.map(\.name) == ["a"])
            #expect(try await !services.entries.isEmpty)
            do {
                try await early
                Issue.record("nobody knows what came of it")
            } catch HostError.interrupted {
                #expect(
                    device.network.companion.actions.filter { $0.hasPrefix("early") }.count <= 1)
            }
            _ = try await late
            #expect(device.network.companion.actions.filter { $0 == "always \(name)" }.count == 1)
        }
    }

    @Test(
        "shows rules all that is known of an item",
        arguments: [
            "$item.filename == 'team.txt'", "$item.userInfo.size == 3",
            "$item.userInfo.share == 0.5", "$item.userInfo.team BEGINSWITH 'team'",
            "$item.userInfo.since != nil", "$item.userInfo.unknown == nil",
            "$item.userInfo.nothing == nil", "$item.ownerNameComponents.givenName == 'Ada'",
            "$item.documentSize == 4", "$item.isDownloaded == YES", "$item.isUploaded == YES",
            "$item.isTrashed == NO", "$item.isShared == NO", "$item.uploadingError == nil",
            "$item.contentType == 'public.data'",
            "$item.inheritedUserInfo.'team.inherited' == 'team folder'",
            "$item.resolvedUserInfo.'team.inherited' == 'team.txt'",
            "$item.parentItemIdentifier BEGINSWITH 'item'",
        ])
    func facts(rule: String) throws {
        let declaration = try Self.actions([("it", Self.any(rule))])
        #expect(declaration.problems == [])
        try Stage.play(declaring: declaration) { _, device in
            let folder = try await device.makeFolder("team folder", in: .root)
            let inner = try await device.makeFolder("inner", in: folder)
            let file = try await device.create("team.txt", in: inner, "text")
            try await device.host.waitForRest()
            #expect(try device.host.actions(for: [file]).count == 1)
            await device.stop()
            try await device.start()
            #expect(try device.host.actions(for: [file]).count == 1)
        }
    }

    // MARK: Decorations

    @Test("shows the first decoration of each kind that is declared")
    func decorations() throws {
        let declaration = try Self.declaration(
            """
            {"NSFileProviderDecorations": [
                {"Identifier": "shared", "Category": "Sharing",
                 "Label": {"NSStringFormat": "of %2$@, by %@: 100%%",
                           "NSStringFormatValues": ["item.userInfo.size", "item.userInfo.team"]}},
                {"Identifier": "shared again", "Category": "Sharing", "Label": "again"},
                {"Identifier": "open", "Category": "Badge", "BadgeImageType": "a.badge",
                 "Label": "Open"},
                {"Identifier": "team", "Category": "FolderBadge"},
                {"Identifier": "strange", "Category": "Nothing"}
            ]}
            """)
        #expect(declaration.problems.count == 1)
        try Stage.play(declaring: declaration) { _, device in
            let folder = try await device.makeFolder("team folder", in: .root)
            let file = try await device.create("team.txt", in: .root, "text")
            let other = try await device.create("other", in: .root, "text")
            try await device.host.waitForRest()
            let shown = try device.host.decorations(of: file)
            #expect(shown.map(\.identifier.rawValue) == ["open", "shared"])
            #expect(shown.map(\.label) == ["Open", "of team.txt, by 3: 100%"])
            #expect(shown.first?.badgeType == "a.badge")
            #expect(
                try device.host.decorations(of: folder).map(\.category)
                    == [.badge, .sharing, .folderBadge])
            #expect(try device.host.decorations(of: other).isEmpty)
            let here = try await device.create("a.txt~", in: .root, "text")
            try await device.host.waitForRest()
            #expect(try device.host.decorations(of: here).map(\.label) == ["Stays on this device"])
        }
    }

    // MARK: Interactions

    private static let interactions = """
        {"NSFileProviderUserInteractions": [
            {"ActivationRule": "action == 'Delete' AND sourceItem.userInfo.isOpen == YES",
             "SuppressionIdentifier": "open", "HelpURL": "https://example.org",
             "SubInteractions": [
                {"ActivationRule": "sourceItemsCount > 1",
                 "Alert": {"LocalizedTitle": {"NSStringFormat": "%@ and %@ more",
                    "NSStringFormatValues": ["firstMatchingItem.filename",
                                             "matchingItemsCountMinusOne"]},
                    "RecoveryOptions": {"Continue": false}}}],
             "Alert": {"LocalizedTitle": "It is open", "LocalizedSubTitle": "by somebody",
                "LocalizedRecoveryOptions": {"Continue": "Delete it", "Cancel": "Keep it"},
                "RecoveryOptions": {"Destructive": true}}},
            {"ActivationRule": "action == 'MoveIn' AND destinationItem.filename == 'team folder'",
             "Alert": {"LocalizedTitle": {"NSStringFormat": "%@ into %@",
                "NSStringFormatValues": ["matchingItemsCount", "destinationItem.filename"]}}},
            {"ActivationRule": "action IN {'Create', 'Rename'} AND (sourceItem.filename ENDSWITH '~' OR destinationItem.filename ENDSWITH '~')",
             "Alert": {"LocalizedTitle": "A backup?"}},
            {"ActivationRule": "TRUEPREDICATE"}
        ]}
        """

    @Test("asks what is declared to be asked, and not what somebody does not want to hear again")
    func interactions() throws {
        let declaration = try Self.declaration(Self.interactions)
        #expect(declaration.interactions.count == 3)
        #expect(declaration.problems.count == 1)
        try Stage.play(declaring: declaration) { _, device in
            let folder = try await device.makeFolder("team folder", in: .root)
            let team = try await device.create("team.txt", in: .root, "text")
            let other = try await device.create("other", in: .root, "text")
            try await device.host.waitForRest()
            let host = device.host
            #expect(
                try host.alert(before: UserAction(.delete, [team, other]))
                    == InteractionAlert(
                        title: "It is open", subtitle: "by somebody", continueLabel: "Delete it",
                        cancelLabel: "Keep it", canContinue: true, isDestructive: true,
                        help: "https://example.org", suppression: "open"))
            let many = try host.alert(before: UserAction(.delete, [other, team, folder]))
            #expect(many?.title == "team.txt and 1 more" && many?.canContinue == false)
            #expect(try host.alert(before: UserAction(.delete, [other])) == nil)
            #expect(try host.alert(before: UserAction(.trash, [team])) == nil)
            #expect(
                try host.alert(before: UserAction(.moveIn, sourceCount: 5, to: folder))?.title
                    == "5 into team folder")
            #expect(try host.alert(before: UserAction(.moveIn, to: .root)) == nil)
            #expect(
                try host.alert(before: UserAction(.create, to: folder, named: "a~"))?.title
                    == "A backup?")
            #expect(
                try host.alert(before: UserAction(.rename, [other], named: "b~"))?.title
                    == "A backup?")
            #expect(try host.alert(before: UserAction(.rename, [other], named: "b")) == nil)

            host.suppress("open")
            #expect(host.isSuppressed("open"))
            #expect(try host.alert(before: UserAction(.delete, [team])) == nil)
            host.suppress("open", false)
            #expect(try host.alert(before: UserAction(.delete, [team])) != nil)
        }
    }

    // MARK: Pictures

    @Test("has pictures, once for each content, and says which items have none")
    func thumbnails() throws {
        try Stage.play { cloud, device in
            let first = try await device.create("first", in: .root, "the first text")
            let plain = try await device.create("plain", in: .root, "text")
            let broken = try await device.create("broken", in: .root, "text")
            try await device.host.waitForRest()
            let size = CGSize(width: 64, height: 64)
            let found = try await device.host.thumbnails(of: [first, plain, broken], size: size)
            #expect(found == [first: Data("the first text".utf8), plain: nil])
            #expect(device.network.companion.pictures.map(\.count) == [3])
            let again = try await device.host.thumbnails(of: [first, plain], size: size)
            #expect(again == [first: Data("the first text".utf8), plain: nil])
            #expect(device.network.companion.pictures.count == 1)

            cloud.rewrite("first", "the second text")
            try await device.host.waitForRest()
            let newer = try await device.host.thumbnails(of: [first, plain], size: size)
            #expect(newer[first] == Data("the second text".utf8))
            #expect(device.network.companion.pictures.map(\.count) == [3, 1])
            _ = try await device.host.thumbnails(of: [plain], size: CGSize(width: 9, height: 9))
            #expect(device.network.companion.pictures.count == 3)
            device.network.isCut = true
            let error = await #expect(throws: (any Error).self) {
                try await device.host.thumbnails(of: [broken], size: size)
            }
            #expect(error.map { NSFileProviderError.serverUnreachable ~= $0 } == true)
        }
    }

    @Test("keeps the pictures of late, and no more than there is room for")
    func manyThumbnails() throws {
        try Stage.play { _, device in
            var files: [NodeID] = []
            for number in 0..<5 {
                files.append(
                    try await device.create(
                        "\(number)", in: .root, String(repeating: "a", count: 3_600_000)))
            }
            try await device.host.waitForRest()
            let size = CGSize(width: 64, height: 64)
            for file in files { _ = try await device.host.thumbnails(of: [file], size: size) }
            #expect(device.network.companion.pictures.count == 5)
            _ = try await device.host.thumbnails(of: [files[4]], size: size)
            #expect(device.network.companion.pictures.count == 5)
            _ = try await device.host.thumbnails(of: [files[0]], size: size)
            #expect(device.network.companion.pictures.count == 6)
        }
    }

    // MARK: Services

    @Test("offers its services, and those that are restricted to who manages the domain alone")
    func services() throws {
        try Stage.play { _, device in
            let file = try await device.create("a", in: .root, "text")
            try await device.host.waitForRest()
            let identifier = try device.identifier(of: file)
            let manager = device.manager
            let open = try await manager.service(named: .init("cloud.open"), for: identifier)
            let endpoint = try await open?.fileProviderConnection()
            #expect(endpoint?.socket.path == "/run/cloud.open/\(identifier.rawValue)")
            let manage = try await manager.service(named: .init("cloud.manage"), for: identifier)
            #expect(manage != nil)
            let none = try await manager.service(named: .init("cloud.none"), for: identifier)
            #expect(none == nil)

            device.system.show(.init("Work"), at: "/home/ada/Work")
            let system = device.system
            let found: [NSFileProviderService] = try await withCheckedThrowingContinuation { done in
                system.services(forItemAt: URL(fileURLWithPath: "/home/ada/Work/a")) {
                    done.resume(with: $0)
                }
            }
            #expect(found.map(\.name.rawValue) == ["cloud.open"])
        }
    }

    // MARK: The domain's state

    @Test("hears under which version of the domain something was changed, also after a restart")
    func domainVersions() throws {
        try Stage.play { _, device in
            let first = try await device.create("first", in: .root, "text")
            let second = try await device.create("second", in: .root, "text")
            try await device.host.waitForRest()
            #expect(try device.host.domainVersion()?.stored == 0)
            device.network.isCut = true
            device.network.companion.versions = []
            try await device.tag(first, 1)
            try await device.wait(seconds: 5)
            device.network.companion.allowOpening()
            // The next answer tells, though it is an error.
            device.host.signal()
            try await device.wait(seconds: 5)
            #expect(try device.host.domainVersion()?.stored == 1)
            await device.stop()
            try await device.start()
            device.network.companion.versions = []
            try await device.tag(second, 1)
            device.reconnect()
            try await device.host.waitForRest()
            #expect(Set(device.network.companion.versions) == [0, 1])
            let version = try device.host.domainVersion()
            #expect(version?.stored == 1)
            device.network.companion.askedUnder = []
            _ = try await device.host.evict(first)
            #expect(try await device.text(of: first) == "text")
            #expect(device.network.companion.askedUnder == [1])

            // The pending set says of which version it is.
            device.network.isCut = true
            try await device.tag(first, 2)
            try await device.wait(seconds: 10)
            let set = device.system.enumeratorForPendingItems(in: .init("Work"))
            #expect(set.domainVersion == nil)
            #expect(try SetListener.names(of: set) == ["first"])
            #expect(set.domainVersion == version)
            let told = device.network.told["pending"] ?? 0
            device.network.companion.allowOpening()
            device.host.signal()
            try await device.wait(seconds: 10)
            #expect(device.network.told["pending"] == told + 1)
            #expect(try SetListener.names(of: set) == ["first"])
            #expect(set.domainVersion?.stored == 2)
        }
    }

    @Test("hears of a newer version of a domain of Basket's when somebody comes into it")
    func ownDomainVersions() throws {
        try ServerStage.play { stage in
            let device = try await stage.device("laptop")
            _ = try await device.create("file", in: .root, "text")
            try await device.host.waitForRest()
            let before = try #require(try device.host.domainVersion()).stored
            try await stage.storage.admit("bob", as: .writer)
            try await device.wait(seconds: 10)
            #expect(try device.host.domainVersion()?.stored == before + 1)
            await device.stop()
            try await device.start()
            try await device.wait(seconds: 10)
            #expect(try device.host.domainVersion()?.stored == before + 1)
        }
    }
}
