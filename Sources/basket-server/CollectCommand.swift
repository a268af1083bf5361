import BasketModels
import BasketStore
import BasketSupport
import BasketUpkeep

/// `basket-server gc`
enum CollectCommand {
    private static let now = CommandOption(
        "now",
        help: "Wait for no grace: uploads that were broken off begin anew. For a disk that is full."
    )

    static let command = Command(
        "gc", summary: "Remove what nothing needs any more, and compact what is mostly dead.",
        details: """
            A running server does this by itself; the command is for one that is stopped. It prints how \
            much room was made, and of what; with --json more exactly.
            """,
        examples: [
            Command.Example("basket-server gc --data ~/basket", "What was removed."),
            Command.Example(
                "basket-server gc --now --keep-deleted 1ms",
                "Room at once, also of what was deleted a moment ago."),
        ],
        options: ServerSettings.options {
            $0.hasPrefix("keep-") || $0 == ServerSettings.uploadGrace.name
        } + [now, ServerOptions.json]
    ) { invocation, console in
        let configuration = try ServerSettings.resolve(invocation)
        let (folder, world) = try DataPlace.find(invocation, telling: console)
        let lock = try folder.lock(world.files)
        defer { withExtendedLifetime(lock) {} }
        let store = try await OfflineStore.openStore(folder, world)
        defer { store.close() }
        let collector = Collector(
            store: store, blobs: try folder.openBlobs(world: world),
            policy: .offline(
                retention: ServerSettings.retention(configuration),
                chunkGrace: invocation.has("now")
                    ? .zero : configuration[ServerSettings.uploadGrace]),
            isBeingCopied: { folder.isBeingCopied })
        let summary = try await DatabaseFailure.told(of: folder) { try await collector.run() }
        var writer = JSONWriter()
        summary.write(to: &writer)
        if invocation.has("json") {
            console.print(String(decoding: writer.bytes, as: UTF8.self))
        } else {
            let freed = ByteCount(bytes: summary.bytesFreed).roundedText
            console.print(
                "freed \(freed); \(summary.versionsDropped) versions, "
                    + "\(summary.deletedContentsPurged) deleted contents, "
                    + "\(summary.filesRemoved) files removed")
        }
        return .success
    }
}
