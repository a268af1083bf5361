import BasketBlobs
import BasketDatabase
import BasketModels
import BasketStore
import BasketSupport
import BasketUpkeep

/// `basket-server check`, `gc`, `backup` and `restore`
enum MaintenanceCommands {
    private static let common = [ServerOptions.data, ServerOptions.config, ServerOptions.json]
    private static let folder = CommandArgument("FOLDER", help: "Where the backup lies.")
    private static let link = CommandOption(
        "link", help: "Give files a second name instead of copying them, on one file system.")

    static let check = Command(
        "check", summary: "Look at everything that is kept, and say what is wrong.",
        details: """
            It changes nothing, and works beside a running server. It prints a line for each thing that \
            is wrong: how bad it is, and what; with --json an object, and nothing when nothing is wrong.
            """,
        examples: [
            Command.Example("basket-server check --data ~/basket", "Rows, counts, and files."),
            Command.Example(
                "basket-server check --deep", "Every byte, too: as long as reading takes."),
            Command.Example(
                "basket-server check --repair",
                "Mend the counts that others tell; no server may run."),
        ],
        options: common + [
            CommandOption("deep", help: "Read all contents, and hold them against their hashes."),
            CommandOption("repair", help: "Afterwards mend what can be worked out anew."),
        ], exits: [.damaged]
    ) { invocation, console in
        let (folder, world) = try place(invocation)
        let findings = try await Check(folder, world: world).run(isDeep: invocation.has("deep"))
        show(findings, invocation, console)
        if invocation.has("repair"), findings.contains(where: { $0.severity == .count }) {
            let lock = try folder.lock(world.files)
            defer { withExtendedLifetime(lock) {} }
            let store = try await OfflineStore.openStore(folder, world)
            defer { store.close() }
            let mended = try await Repair(store: store).run()
            console.say("basket-server: mended \(mended) counts.")
        }
        return findings.isEmpty ? .success : .damaged
    }

    static let collect = Command(
        "gc", summary: "Remove what nothing needs any more, and compact what is mostly dead.",
        details: """
            A running server does this by itself; the command is for one that is stopped. It prints how \
            much room was made, and of what; with --json more exactly.
            """,
        examples: [Command.Example("basket-server gc --data ~/basket", "What was removed.")],
        options: ServerSettings.options {
            $0.hasPrefix("keep-") || $0 == ServerSettings.uploadGrace.name
        } + [ServerOptions.json]
    ) { invocation, console in
        let configuration = try ServerSettings.resolve(invocation)
        let (folder, world) = try place(invocation)
        let lock = try folder.lock(world.files)
        defer { withExtendedLifetime(lock) {} }
        let store = try await OfflineStore.openStore(folder, world)
        defer { store.close() }
        let collector = Collector(
            store: store, blobs: try folder.openBlobs(world: world),
            policy: .offline(
                retention: ServerSettings.retention(configuration),
                chunkGrace: configuration[ServerSettings.uploadGrace]))
        let summary = try await collector.run()
        var writer = JSONWriter()
        summary.write(to: &writer)
        if invocation.has("json") {
            console.print(String(decoding: writer.bytes, as: UTF8.self))
        } else {
            let freed = ByteCount(bytes: summary.bytesFreed).settingText
            console.print(
                "freed \(freed); \(summary.versionsDropped) versions, "
                    + "\(summary.deletedContentsPurged) deleted contents, "
                    + "\(summary.filesRemoved) files removed")
        }
        return .success
    }

    static let backup = Command(
        "backup", summary: "Make a consistent copy, while the server runs.",
        details: """
            A second backup into the same folder copies only what is new, and takes the place of the \
            first. It prints what the backup holds.
            """,
        examples: [
            Command.Example("basket-server backup /mnt/backup --data ~/basket", "All of it."),
            Command.Example("basket-server restore /mnt/backup --data ~/new", "And back again."),
        ],
        options: common + [link], arguments: [folder]
    ) { invocation, console in
        let (source, world) = try place(invocation)
        let target = invocation.argument("FOLDER") ?? ""
        let manifest = try await Backup(
            of: source, into: target, links: invocation.has("link"), world: world
        ).run()
        if invocation.has("json") {
            console.print(
                AccountCommands.text { writer in
                    writer.key("folder")
                    writer.string(target)
                    writer.key("items")
                    writer.number(manifest.items)
                    writer.key("blobs")
                    writer.number(manifest.blobs)
                    writer.key("bytes")
                    writer.number(manifest.blobBytes + manifest.databaseSize)
                })
        } else {
            let size = ByteCount(bytes: manifest.blobBytes + manifest.databaseSize).settingText
            console.print(
                "\(target): \(count(manifest.domains, "domain")), \(count(manifest.items, "item")), \(size)"
            )
        }
        return .success
    }

    static let restore = Command(
        "restore", summary: "Bring a backup back into an empty data folder.",
        details: """
            Every domain starts its order of changes anew, so that no client believes in what came \
            after the backup. What was restored is checked, and it prints what a check prints.
            """,
        examples: [
            Command.Example("basket-server restore /mnt/backup --data ~/new", "Then serve it.")
        ],
        options: common + [
            link, CommandOption("deep", help: "Hold every byte against its hash afterwards."),
        ], arguments: [folder], exits: [.damaged]
    ) { invocation, console in
        let configuration = try ServerSettings.resolve(invocation)
        let target = DataFolder(path: configuration[ServerSettings.data])
        let findings = try await Restore(
            from: invocation.argument("FOLDER") ?? "", into: target, links: invocation.has("link"),
            world: .live(log: .silent)
        ).run(isDeep: invocation.has("deep"))
        if !invocation.has("json") { console.print("\(target.path): restored") }
        show(findings, invocation, console)
        return findings.isEmpty ? .success : .damaged
    }

    // MARK: Parts

    private static func count(_ number: Int64, _ word: String) -> String {
        "\(number) \(word)\(number == 1 ? "" : "s")"
    }

    private static func place(_ invocation: Invocation) throws -> (DataFolder, World) {
        let configuration = try ServerSettings.resolve(invocation)
        let folder = DataFolder(path: configuration[ServerSettings.data])
        let world = World.live(log: .silent)
        try folder.requireDatabase(world.files)
        return (folder, world)
    }

    private static func show(
        _ findings: [Finding], _ invocation: Invocation, _ console: Console
    ) {
        for finding in findings {
            if invocation.has("json") {
                var writer = JSONWriter()
                finding.write(to: &writer)
                console.print(String(decoding: writer.bytes, as: UTF8.self))
            } else {
                console.print("\(finding.severity.rawValue): \(finding.message)")
            }
        }
        if findings.isEmpty, !invocation.has("json") { console.print("nothing is wrong") }
    }
}
