import BasketSupport
import FileProviderDaemon
import FileProviderHost

/// `basket download`
enum DownloadCommand {
    static let command = Command(
        "download", summary: "Bring the bytes of items here, before anybody opens them.",
        details: """
            Of a folder, those of everything below. They may go again when the room is wanted: ‘basket pin’ keeps \
            them.
            """,
        examples: [
            Command.Example("basket download ~/Basket/Work/film.mkv", "Begin, and do not wait."),
            Command.Example("basket download --wait thesis", "Wait until all of it is here."),
        ],
        options: [
            CommandOption("wait", help: "Wait until it is here, and tell how far it is."),
            Options.json,
        ],
        arguments: [Options.items], exits: [.notFound, .unreachable], body: run)

    /// What scripts see at the end.
    private struct Wanted: Codable {
        /// How many files had to come.
        var files: Int
    }

    static func run(_ invocation: Invocation, _ console: Console) async throws -> ExitCode {
        let reach = try DaemonReach()
        let (domain, items) = try await reach.items(invocation.arguments("ITEM"))
        let walk = FileWalk(reach, domain)
        var files: [ControlItem] = []
        for item in items { files += try await walk.filesToCome(from: item) }
        let waits = invocation.has("wait")
        let meter = ProgressMeter(console, asJSON: invocation.has("json"))
        try await reach.each(
            .download, files, in: domain, change: { $0.waits = waits },
            progress: { meter.show($0) })
        meter.end()
        if invocation.has("json") { console.print(JSONText.line(Wanted(files: files.count))) }
        return .success
    }
}
