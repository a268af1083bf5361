import BasketSupport
import FileProviderDaemon
import FileProviderHost

/// `basket removals`
enum RemovalsCommand {
    static let command = Command(
        "removals", summary: "Removals that are held back because they are many at once.",
        details: """
            Without an option they are listed, and nothing is done. Until somebody decides, they are removed here, \
            stay on the server, and everything else goes on.
            """,
        examples: [
            Command.Example("basket removals", "Which they are."),
            Command.Example("basket removals --undo", "It was a mistake: all of it comes back."),
            Command.Example("basket removals Work --apply", "They are meant."),
        ],
        options: [
            CommandOption("apply", help: "Remove them on the server too."),
            CommandOption("undo", help: "Bring them back here."), Options.json,
        ],
        arguments: [Options.domain], exits: [.notFound, .unreachable], body: run)

    static func run(_ invocation: Invocation, _ console: Console) async throws -> ExitCode {
        let isApplied = invocation.has("apply")
        guard !isApplied || !invocation.has("undo") else {
            throw CommandFailure(
                "bad_choice", "--apply and --undo are opposites.\nChoose one of them.",
                exitCode: .usage)
        }
        let reach = try DaemonReach()
        let domain = try await reach.domain(invocation.argument("DOMAIN"))
        guard isApplied || invocation.has("undo") else {
            try await ListCommand.print(
                ControlRequest(.removals), of: domain, reach, invocation, console,
                nothing: "No removals are held back."
            ) { (state: ItemState) in Words.path(state.item.path) }
            return .success
        }
        let count = try await reach.ask(
            domain, ControlRequest(isApplied ? .applyRemovals : .undoRemovals),
            for: RemovalCount.self)
        if invocation.has("json") {
            console.print(JSONText.line(count))
        } else {
            let number = count.removals
            console.say(
                isApplied
                    ? Words.count(number, "item is", "items are") + " removed on the server."
                    : Words.count(number, "item comes", "items come") + " back.")
        }
        return .success
    }
}
