import BasketSupport
import FileProviderDaemon
import FileProviderHost

/// What lists something of a domain: all commands that do are alike.
enum ListCommand {
    /// - Parameters:
    ///   - nothing: what is said to people where the list is empty.
    ///   - text: an entry in a line for people.
    static func command<Entry: Codable & Sendable>(
        _ name: String, summary: String, details: String = "", examples: [Command.Example],
        asking ask: ControlCommand, nothing: String, text: @escaping @Sendable (Entry) -> String
    ) -> Command {
        Command(
            name, summary: summary, details: details, examples: examples, options: [Options.json],
            arguments: [Options.domain], exits: [.notFound, .unreachable]
        ) { invocation, console in
            let reach = try DaemonReach()
            let domain = try await reach.domain(invocation.argument("DOMAIN"))
            try await print(
                ControlRequest(ask), of: domain, reach, invocation, console, nothing: nothing,
                text: text)
            return .success
        }
    }

    /// - Returns: how many there were.
    @discardableResult
    static func print<Entry: Codable & Sendable>(
        _ request: ControlRequest, of domain: HostedDomainState, _ reach: DaemonReach,
        _ invocation: Invocation, _ console: Console, nothing: String,
        text: (Entry) -> String
    ) async throws -> Int {
        let asJSON = invocation.has("json")
        let count = try await reach.each(of: domain, request, as: Entry.self) { entry in
            try console.list(asJSON ? JSONText.line(entry) : text(entry))
        }
        if count == 0, !asJSON { console.say(nothing) }
        return count
    }
}
