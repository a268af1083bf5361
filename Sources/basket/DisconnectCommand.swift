import BasketSupport
import FileProviderDaemon

/// `basket disconnect`
enum DisconnectCommand {
    static let command = Command(
        "disconnect", summary: "Have a domain here no more; on the server it stays.",
        details: """
            What the server has not got yet is kept in a folder beside the others, whose path is printed. Programs \
            that have something of the domain open are named, and nothing is done.
            """,
        examples: [
            Command.Example("basket disconnect Work", "Keeps what was not sent yet."),
            Command.Example("basket disconnect Work --keep downloaded", "Keeps all that is here."),
        ],
        options: [
            CommandOption(
                "keep", placeholder: "unsent|downloaded|nothing",
                help: "What stays here as ordinary files.", note: "default unsent"),
            Options.json,
        ],
        arguments: [CommandArgument("DOMAIN", help: "Its name.", completed: Options.domainNames)],
        exits: [.notFound, .conflict, .unreachable], body: run)

    private struct Removed: Codable, Sendable {
        var kept: String?
    }

    static func run(_ invocation: Invocation, _ console: Console) async throws -> ExitCode {
        let reach = try DaemonReach()
        let domain = try await reach.domain(invocation.argument("DOMAIN"))
        let text = invocation.value("keep") ?? DaemonRequest.Keeping.unsent.rawValue
        guard let keep = DaemonRequest.Keeping(rawValue: text) else {
            throw CommandFailure(
                "bad_keep", "--keep is unsent, downloaded or nothing.", exitCode: .usage)
        }
        var request = DaemonRequest(.remove, domain: domain.domain)
        request.keep = keep
        let removed = try await reach.ask(request, for: Removed.self)
        if invocation.has("json") {
            console.print(JSONText.line(removed))
        } else if let kept = removed.kept {
            console.say(
                keep == .downloaded
                    ? "What was here is kept in"
                    : "The server has not got everything; what it lacks is kept in")
            console.print(kept)
        }
        let outcome = await LogOut.ofDomain(domain)
        if !invocation.has("json"), let words = Self.words(outcome) { console.say(words) }
        return .success
    }

    private static func words(_ outcome: LogOut.Outcome) -> String? {
        switch outcome {
        case .done: nil
        case .unheard:
            "The server could not be told. It knows this device's log-in, which is not kept here any more, until the account's password is changed there."
        case .leftInKeyring:
            "The log-in is in the desktop's keyring, which is locked or cannot be reached. Once it can be, remove what is called ‘Basket: …’ there. The server could not be told: it knows the log-in until the account's password is changed there."
        }
    }
}
