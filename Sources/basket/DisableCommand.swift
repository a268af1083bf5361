import BasketSupport
import FileProviderDaemon

/// `basket disable`
enum DisableCommand {
    static let command = Command(
        "disable", summary: "Switch a domain off, and keep all that is here of it.",
        details:
            "Its folder is empty until ‘basket enable’; what was not sent yet waits for that.",
        examples: [
            Command.Example(
                "basket disable Work", "Nobody looks after it until ‘basket enable Work’.")
        ],
        options: [Options.json],
        arguments: [CommandArgument("DOMAIN", help: "Its name.", completed: Options.domainNames)],
        exits: [.notFound, .conflict, .unreachable]
    ) { invocation, console in
        let reach = try DaemonReach()
        let domain = try await reach.domain(invocation.argument("DOMAIN"))
        let state = try await reach.ask(
            DaemonRequest(.disable, domain: domain.domain), for: HostedDomainState.self)
        if invocation.has("json") { console.print(JSONText.line(state)) }
        return .success
    }
}
