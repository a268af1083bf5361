import BasketSupport
import FileProviderDaemon
import FileProviderHost

/// `basket ls`
enum ListingCommand {
    static let command = Command(
        "ls", summary: "List a folder, with how much of each item is here and what it waits for.",
        details: """
            Nothing is brought here by that. In the first column stands ‘here’, ‘partly’ or ‘not here’; behind \
            the name in brackets, what is to be known: pinned, only on this device, waits.
            """,
        examples: [
            Command.Example("basket ls ~/Basket/Work", "What lies in it."),
            Command.Example("basket ls thesis --json", "One item a line, for a script."),
        ],
        options: [Options.json],
        arguments: [
            CommandArgument(
                "PATH", help: "A domain, or an item in one; the folder one is in when left out.",
                count: .optional)
        ],
        exits: [.notFound, .unreachable], body: run)

    static func run(_ invocation: Invocation, _ console: Console) async throws -> ExitCode {
        let reach = try DaemonReach()
        let (domain, item) = try await reach.place(invocation.argument("PATH"))
        let asJSON = invocation.has("json")
        func print(_ child: ChildState) throws {
            try console.list(asJSON ? JSONText.line(child) : ChildText(child).text)
        }
        let page = try await reach.eachChild(of: item, in: domain, print)
        guard page.item.state.item.kind == "folder" else {
            try print(page.item)
            return .success
        }
        if !page.isListed, !asJSON {
            console.say("Not all that lies in it is known here: opening the folder has it listed.")
        }
        return .success
    }
}
