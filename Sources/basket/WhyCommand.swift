import BasketSupport
import FileProviderHost

/// `basket why`
enum WhyCommand {
    static let command = Command(
        "why", summary: "The whole story of one item: where it is, what it waits for, what failed.",
        examples: [
            Command.Example("basket why ~/Basket/Work/report.odt", "What is known of it."),
            Command.Example("basket why report.odt --json", "All of it, for a report."),
        ],
        options: [Options.json],
        arguments: [CommandArgument("ITEM", help: "Its path.")],
        exits: [.notFound, .unreachable], body: run)

    static func run(_ invocation: Invocation, _ console: Console) async throws -> ExitCode {
        let reach = try DaemonReach()
        let (domain, items) = try await reach.items([invocation.argument("ITEM") ?? ""])
        let story = try await reach.ask(
            domain, ControlRequest(.why, items: items), for: ItemStory.self)
        console.print(invocation.has("json") ? JSONText.line(story) : StoryText(story).text)
        return .success
    }
}
