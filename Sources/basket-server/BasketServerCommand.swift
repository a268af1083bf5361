import BasketModels
import BasketSupport

/// The server's command: parse, call, print.
enum BasketServerCommand {
    static func main() async -> ExitCode {
        // Before any other thread begins: all of them inherit it, and one of ours waits for them.
        SignalSource.block()
        return await command.run(Array(CommandLine.arguments.dropFirst()), console: .live)
    }

    static let command = Command(
        "basket-server", summary: "A self-hosted file server with versions and change feeds.",
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
            ConfigCommand.command, MaintenanceCommands.check, MaintenanceCommands.collect,
            MaintenanceCommands.backup, MaintenanceCommands.restore, TLSCommand.command,
            VersionCommand.command,
        ])
}
