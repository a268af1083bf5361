import BasketSupport
import FileProviderHost

/// `basket actions`
enum ActionsCommand {
    static let command = Command(
        "actions", summary: "What can be done with items, besides what files can do anyway.",
        examples: [
            Command.Example("basket actions report.odt", "What ‘basket act’ takes for it."),
            Command.Example("basket actions *.odt --json", "For several at once."),
        ],
        options: [Options.json], arguments: [Options.items], exits: [.notFound, .unreachable]
    ) { invocation, console in
        let reach = try DaemonReach()
        let (domain, items) = try await reach.items(invocation.arguments("ITEM"))
        let actions = try await reach.ask(
            domain, ControlRequest(.actions, items: items), for: Listed<OfferedAction>.self)
        for action in actions.entries {
            console.print(
                invocation.has("json")
                    ? JSONText.line(action)
                    : "\(Words.left(Words.shown(action.identifier), 28))  \(Words.shown(action.name))"
            )
        }
        return .success
    }
}
