import BasketModels
import BasketSupport
import BasketUpkeep

/// `basket-server backup`
enum BackupCommand {
    private static let folder = CommandArgument(
        "FOLDER", help: "Where to copy it to: new, or an earlier backup.")
    private static let link = CommandOption(
        "link", help: "Give files a second name instead of copying them, on one file system.")

    static let command = Command(
        "backup", summary: "Make a consistent copy, while the server runs.",
        details: """
            A second backup into the same folder copies only what is new, and takes the place of the \
            first; what is there is not read again, which 'restore --deep' does. It prints what the \
            backup holds.
            """,
        examples: [
            Command.Example("basket-server backup /mnt/backup --data ~/basket", "All of it."),
            Command.Example("basket-server restore /mnt/backup --data ~/new", "And back again."),
        ],
        options: ServerOptions.common + [link], arguments: [folder]
    ) { invocation, console in
        let (source, world) = try DataPlace.find(invocation)
        let target = invocation.argument("FOLDER") ?? ""
        try requireElsewhere(target, than: source)
        let manifest = try await DatabaseFailure.told(of: source) {
            try await Backup(
                of: source, into: target, links: invocation.has("link"), world: world
            ).run()
        }
        if invocation.has("json") {
            console.print(
                JSONText.object { writer in
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
            let size = ByteCount(bytes: manifest.blobBytes + manifest.databaseSize).roundedText
            console.print(
                "\(target): \(count(manifest.domains, "domain")), \(count(manifest.items, "item")), \(size)"
            )
        }
        return .success
    }

    /// A copy within the data would be lost with it, and be taken for a part of it.
    private static func requireElsewhere(_ target: String, than source: DataFolder) throws {
        guard let data = RealPath.of(source.path), let copy = RealPath.of(target),
            copy == data || copy.hasPrefix(data + "/")
        else { return }
        throw CommandFailure(
            "backup_in_data_folder",
            """
            the folder \(target) lies in the data folder \(source.path): it would be lost together with it.
            Choose a folder elsewhere, best on another disk.
            """, exitCode: .usage)
    }

    private static func count(_ number: Int64, _ word: String) -> String {
        "\(number) \(word)\(number == 1 ? "" : "s")"
    }
}
