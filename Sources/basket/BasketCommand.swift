import BasketModels
import BasketSupport

/// The client's command: parse, call, print.
enum BasketCommand {
    /// Runs the command line, to the end of the process.
    static func main() -> Never {
        CommandProcess.run(command)
    }

    private static let name = "basket"

    static let command: Command = Command(
        name,
        summary: "The files of a Basket server in a folder, each brought when it is opened.",
        details: """
            Files and folders that are written to a command are paths, as for any other program. Where a \
            command takes a domain, it is its name, or any path in it; with one domain alone it need not be \
            named.
            """,
        examples: [
            Command.Example(
                "basket connect Work --server nas.local",
                "Log in, and see the domain ‘Work’ in ~/Basket/Work."),
            Command.Example("basket status", "Whether everything is safe on the server."),
            Command.Example("basket why ~/Basket/Work/report.odt", "What a file waits for."),
        ],
        commands: [
            ConnectCommand.command, DiscoverCommand.command, DisconnectCommand.command,
            StatusCommand.command,
            WaitCommand.command, WhyCommand.command, ListingCommand.command,
            PinCommand.command, UnpinCommand.command, DownloadCommand.command,
            EvictCommand.command, CacheCommand.command, HydrationsCommand.command,
            PendingCommand.command, RescuedCommand.command, RemovalsCommand.command,
            PauseCommand.command, ResumeCommand.command, RefreshCommand.command,
            VersionsCommand.command, RestoreCommand.command, ConflictsCommand.command,
            ResolveCommand.command, TrashCommand.command, LogCommand.command,
            SearchCommand.command, ActionsCommand.command, ActCommand.command,
            MarksCommand.command, ThumbnailCommand.command, CheckCommand.command,
            DoctorCommand.command, ConfigCommand.command,
            EnableCommand.command, DisableCommand.command, DaemonCommandLine.command,
            HostCommand.command, VersionCommand.command, DomainsCommand.command,
            Command.completions(of: name, json: Options.json) { command },
            Command.manual(of: name, version: BasketVersion.current, json: Options.json) {
                command
            },
        ])
}
