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
            backup holds. What the server itself has lost, it cannot copy; it says so, copies the rest, \
            and ends with 15.
            """,
        examples: [
            Command.Example("basket-server backup /mnt/backup --data ~/basket", "All of it."),
            Command.Example("basket-server restore /mnt/backup --data ~/new", "And back again."),
        ],
        options: ServerOptions.common + [link], arguments: [folder],
        exits: [.incomplete]
    ) { invocation, console in
        let (source, world) = try DataPlace.find(invocation, telling: console)
        let target = invocation.argument("FOLDER") ?? ""
        try requireElsewhere(target, than: source)
        let backup = Backup(
            of: source, into: target, links: invocation.has("link"), world: world)
        let manifest = try await DatabaseFailure.told(of: source) { try await backup.run() }
        let lacking = try backup.lackingFiles(manifest)
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
                    writer.key("lackingBlobs")
                    writer.number(Int64(manifest.lackingBlobs.count))
                    writer.key("lacking")
                    writer.array { writer in
                        for file in lacking {
                            writer.object { writer in
                                writer.key("owner")
                                writer.string(file.owner)
                                writer.key("path")
                                writer.string(file.path)
                            }
                        }
                    }
                })
        } else {
            let size = ByteCount(bytes: manifest.blobBytes + manifest.databaseSize).roundedText
            console.print(
                "\(target): \(count(manifest.domains, "domain")), \(count(manifest.items, "item")), \(size)"
            )
        }
        guard !manifest.lackingBlobs.isEmpty else { return .success }
        if !invocation.has("json") { console.say(warning(manifest, lacking)) }
        return .incomplete
    }

    private static func warning(_ manifest: BackupManifest, _ files: [LackingFile]) -> String {
        let blobs = Int64(manifest.lackingBlobs.count)
        let verb = blobs == 1 ? "is" : "are"
        let first =
            "basket-server: \(count(blobs, "blob")) \(verb) missing from the server's data folder"
        let list = files.map { "    \($0.path), of \($0.owner)" }
        let what =
            files.isEmpty
            ? "No file that is there now needs them; earlier versions or deleted files do."
            : "Everything else was copied. These files lack bytes, and so may earlier versions:"
        return ([first + ".", what] + list).joined(separator: "\n")
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
