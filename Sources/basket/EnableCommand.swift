import BasketSupport
import FileProviderDaemon

/// `basket enable`
enum EnableCommand {
    static let command = Command(
        "enable", summary: "Have a domain hosted again that was switched off.",
        examples: [
            Command.Example("basket enable Work", "It is in its folder again.")
        ],
        options: [Options.json],
        arguments: [CommandArgument("DOMAIN", help: "Its name.", completed: Options.domainNames)],
        exits: [.notFound, .conflict, .unreachable]
    ) { invocation, console in
        let reach = try DaemonReach()
        let domain = try await reach.domain(invocation.argument("DOMAIN"))
        let state = try await reach.ask(
            DaemonRequest(.enable, domain: domain.domain), for: HostedDomainState.self)
        if invocation.has("json") { console.print(JSONText.line(state)) }
        return .success
    }
}
