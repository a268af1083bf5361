import BasketSupport
import FileProviderHost

/// `basket marks`
enum MarksCommand {
    static let command = Command(
        "marks", summary: "How an item is marked in a file manager: shared, pinned, in conflict.",
        examples: [
            Command.Example("basket marks report.odt", "The most important first."),
            Command.Example("basket marks report.odt --json", "With the badge's type."),
        ],
        options: [Options.json], arguments: [Options.item], exits: [.notFound, .unreachable]
    ) { invocation, console in
        let reach = try DaemonReach()
        let (domain, items) = try await reach.items([invocation.argument("ITEM") ?? ""])
        let marks = try await reach.ask(
            domain, ControlRequest(.decorations, items: items), for: Listed<ShownMark>.self)
        for mark in marks.entries {
            console.print(
                invocation.has("json")
                    ? JSONText.line(mark) : Words.shown(mark.label ?? mark.identifier))
        }
        return .success
    }
}
