import BasketModels
import BasketStore
import BasketSupport
import BasketUpkeep

/// `basket-server gc`
enum CollectCommand {
    static let command = Command(
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
        let (folder, world) = try DataPlace.find(invocation)
        let lock = try folder.lock(world.files)
        defer { withExtendedLifetime(lock) {} }
        let store = try await OfflineStore.openStore(folder, world)
        defer { store.close() }
        let collector = Collector(
            store: store, blobs: try folder.openBlobs(world: world),
            policy: .offline(
                retention: ServerSettings.retention(configuration),
                chunkGrace: configuration[ServerSettings.uploadGrace]))
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
