import BasketSupport
import FileProviderHost

/// What has something done with a whole domain, and says nothing more: all commands that do are alike.
enum DomainCommand {
    static func command(
        _ name: String, summary: String, details: String = "", examples: [Command.Example],
        asking ask: ControlCommand
    ) -> Command {
        Command(
            name, summary: summary, details: details, examples: examples, options: [Options.json],
            arguments: [Options.domain], exits: [.notFound, .unreachable]
        ) { invocation, console in
            let reach = try DaemonReach()
            let done = try await reach.ask(
                reach.domain(invocation.argument("DOMAIN")), ControlRequest(ask),
                for: ControlDone.self)
            if invocation.has("json") { console.print(JSONText.line(done)) }
            return .success
        }
    }
}
