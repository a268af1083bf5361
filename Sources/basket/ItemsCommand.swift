import BasketSupport
import FileProviderHost

/// What has something done with items, and says nothing more: all commands that do are alike.
enum ItemsCommand {
    static func command(
        _ name: String, summary: String, details: String = "", examples: [Command.Example],
        asking ask: ControlCommand, exits: [ExitCode] = []
    ) -> Command {
        Command(
            name, summary: summary, details: details, examples: examples, options: [Options.json],
            arguments: [Options.items], exits: [.notFound] + exits + [.unreachable]
        ) { invocation, console in
            let reach = try DaemonReach()
            let (domain, items) = try await reach.items(invocation.arguments("ITEM"))
            try await reach.each(ask, items, in: domain)
            if invocation.has("json") { console.print(JSONText.line(ControlDone())) }
            return .success
        }
    }
}
