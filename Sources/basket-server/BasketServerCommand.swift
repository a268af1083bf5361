import BasketModels
import BasketSupport

/// The server's command: parse, call, print.
enum BasketServerCommand {
    /// Runs the command line, to the end of the process.
    static func main() -> Never {
        CommandProcess.run(command)
    }

    private static let name = "basket-server"

    static let command: Command = Command(
        name, summary: "A self-hosted file server with versions and change feeds.",
        details: """
            One process, one data folder, no other service. What can be set is a flag, an environment \
            variable, and a line of the configuration file, in that order of weight.
            """,
        examples: [
            Command.Example(
                "basket-server serve --data ~/basket",
                "Serve on this machine; the first start prints the password of ‘admin’."),
            Command.Example(
                "basket-server serve --data /srv/basket --listen 0.0.0.0:8443",
                "Serve the local network, over TLS with a certificate of its own."),
        ],
        commands: [
            ServeCommand.command, AccountCommands.command, DomainCommands.command,
            ConfigCommand.command, CheckCommand.command, CollectCommand.command,
            BackupCommand.command, RestoreCommand.command, TLSCommand.command,
            VersionCommand.command,
            Command.completions(of: name, json: ServerOptions.json) { command },
            Command.manual(of: name, version: BasketVersion.current, json: ServerOptions.json) {
                command
            },
        ])
}
