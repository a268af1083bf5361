import BasketSupport
import FileProviderHost

/// `basket act`
enum ActCommand {
    static let command = Command(
        "act", summary: "Have something done with items that ‘basket actions’ offers.",
        details:
            "An action is called by its identifier, by the end of that behind a dot, or by its name.",
        examples: [
            Command.Example("basket act favorite report.odt", "By the end of its identifier."),
            Command.Example("basket act 'Mark as being edited' report.odt", "By its name."),
        ],
        options: [Options.json],
        arguments: [CommandArgument("ACTION", help: "Which one."), Options.items],
        exits: [.notFound, .unreachable], body: run)

    static func run(_ invocation: Invocation, _ console: Console) async throws -> ExitCode {
        let reach = try DaemonReach()
        let (domain, items) = try await reach.items(invocation.arguments("ITEM"))
        let offered = try await reach.ask(
            domain, ControlRequest(.actions, items: items), for: Listed<OfferedAction>.self)
        var request = ControlRequest(.perform, items: items)
        request.name = try choose(invocation.argument("ACTION") ?? "", among: offered.entries)
        let done = try await reach.ask(domain, request, for: ControlDone.self)
        if invocation.has("json") { console.print(JSONText.line(done)) }
        return .success
    }

    private static func choose(_ word: String, among actions: [OfferedAction]) throws -> String {
        let lowercased = word.lowercased()
        let chosen =
            actions.first { $0.identifier == word }
            ?? actions.first { $0.name.lowercased() == lowercased }
            ?? actions.first { $0.identifier.hasSuffix("." + word) }
        if let chosen { return chosen.identifier }
        let known = actions.map { Words.shown($0.identifier) }.joined(separator: ", ")
        throw CommandFailure(
            "no_such_action",
            "‘\(Words.shown(word))’ is not offered for these items.\n"
                + (known.isEmpty ? "Nothing is." : "There are \(known)."),
            exitCode: .notFound)
    }
}
