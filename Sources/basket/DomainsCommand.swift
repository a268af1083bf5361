import BasketSupport
import FileProviderDaemon

/// `basket domains`
enum DomainsCommand {
    static let command = Command(
        "domains", summary: "List the domains that are connected here, and where each is.",
        examples: [
            Command.Example("basket domains", "With the state of each."),
            Command.Example("basket domains --names", "Their names alone, one a line."),
            Command.Example("basket domains --json", "For a script."),
        ],
        options: [
            CommandOption("names", help: "Their names alone; none when no daemon runs."),
            Options.json,
        ],
        exits: [.unreachable]
    ) { invocation, console in
        let reach = try DaemonReach()
        if invocation.has("names"), !(await reach.isThere()) { return .success }
        let domains = try await reach.domains()
        for domain in domains {
            if invocation.has("json") {
                console.print(JSONText.line(domain))
            } else if invocation.has("names") {
                console.print(Words.shown(domain.name))
            } else {
                let state = Words.left(domain.state.rawValue, 10)
                console.print(
                    "\(state)  \(Words.shown(domain.name))  \(Words.shown(domain.folder ?? ""))")
            }
        }
        return .success
    }
}
