import BasketSupport
import FileProviderHost

/// `basket search`
enum SearchCommand {
    private static let usualEntries = 50

    static let command = Command(
        "search",
        summary: "Find items by words in their names and tags, also those that are not here.",
        examples: [
            Command.Example("basket search annual report", "Whatever has both words."),
            Command.Example("basket search report --domain Work --json", "For a script."),
        ],
        options: [
            CommandOption(
                "domain", placeholder: "DOMAIN", help: "Where, with several domains.",
                completed: Options.domainNames),
            CommandOption(
                "limit", placeholder: "COUNT", help: "How many are listed.",
                note: "default \(usualEntries)"),
            Options.json,
        ],
        arguments: [CommandArgument("WORD", help: "What is looked for.", count: .many)],
        exits: [.notFound, .unreachable], body: run)

    static func run(_ invocation: Invocation, _ console: Console) async throws -> ExitCode {
        let limit = try Options.number(
            "limit", of: invocation, in: 1...ControlProtocol.mostEntries)
        let reach = try DaemonReach()
        let domain = try await reach.domain(invocation.value("domain"))
        var request = ControlRequest(.search)
        request.words = invocation.arguments("WORD").joined(separator: " ")
        request.limit = limit ?? usualEntries
        let found = try await reach.ask(domain, request, for: Listed<FoundEntry>.self)
        let asJSON = invocation.has("json")
        for entry in found.entries {
            try console.list(asJSON ? JSONText.line(entry) : text(entry))
        }
        if found.entries.isEmpty, !asJSON { console.say("Nothing was found.") }
        return .success
    }

    private static func text(_ entry: FoundEntry) -> String {
        let place = entry.item.map { Words.path($0.path) } ?? Words.shown(entry.name)
        let size = entry.size.map { Words.bytes($0) } ?? ""
        return "\(Words.right(size, 10))  \(place)"
    }
}
