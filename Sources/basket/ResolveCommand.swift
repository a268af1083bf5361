import BasketSupport
import FileProviderHost

/// `basket resolve`
enum ResolveCommand {
    static let command = Command(
        "resolve", summary: "Decide which versions of a file stay, where several wait.",
        details: """
            ‘current’ keeps what the file holds, ‘other’ the newest of those that lost, ‘all’ both, each in a file of \
            its own. What is not kept becomes an earlier version: ‘basket restore’ brings it back.
            """,
        examples: [
            Command.Example("basket resolve report.odt --keep current", "The others go."),
            Command.Example("basket resolve report.odt --keep all", "To compare them."),
        ],
        options: [
            CommandOption("keep", placeholder: "current|other|all", help: "Which ones stay."),
            Options.json,
        ],
        arguments: [Options.item], exits: [.notFound, .unreachable], body: run)

    private static let action = "basket.conflict.keep-"

    static func run(_ invocation: Invocation, _ console: Console) async throws -> ExitCode {
        guard let keep = invocation.value("keep"), ["current", "other", "all"].contains(keep)
        else {
            throw CommandFailure(
                "bad_keep", "--keep is current, other or all.\nSay which versions stay.",
                exitCode: .usage)
        }
        let reach = try DaemonReach()
        let (domain, items) = try await reach.items([invocation.argument("ITEM") ?? ""])
        var request = ControlRequest(.perform, items: items)
        request.name = action + keep
        do {
            _ = try await reach.ask(domain, request, for: ControlDone.self)
        } catch let error as CommandFailure
            where error.code == ControlError.Code.noSuchAction.rawValue
        {
            throw CommandFailure(
                "no_conflict",
                "no version of \(Words.path(items[0].path ?? "")) waits for a decision of yours.\n‘basket conflicts’ lists those that do.",
                exitCode: .notFound)
        }
        if invocation.has("json") { console.print(JSONText.line(ControlDone())) }
        return .success
    }
}
