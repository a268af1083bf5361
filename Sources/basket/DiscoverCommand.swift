import BasketDiscovery
import BasketSupport

/// `basket discover`
enum DiscoverCommand {
    static let command = Command(
        "discover", summary: "List the servers that answer on the local network.",
        details: """
            What is listed is what machines of this network say of themselves, and anybody there may say anything: a \
            certificate that is named is a hint to compare with ‘basket-server tls’ on the server. It is asked \
            through Avahi; servers elsewhere, and those that serve with --no-announce, are not found.
            """,
        examples: [
            Command.Example(
                "basket discover", "Each with the address for ‘basket connect --server’."),
            Command.Example("basket discover --wait 10", "On a network that is slow to answer."),
            Command.Example("basket discover --json", "For a script, one server a line."),
        ],
        options: [
            CommandOption(
                "wait", placeholder: "SECONDS", help: "Listen for so long.",
                note: "default until who is there has answered, up to 5"),
            Options.json,
        ],
        exits: [.notFound, .noService], body: run)

    private static let waits = 1...600

    static func run(_ invocation: Invocation, _ console: Console) async throws -> ExitCode {
        let seconds = try Options.number("wait", of: invocation, in: waits)
        let world = World.live(log: .silent)
        let servers = try await NearbyServers.find(world, for: seconds.map { .seconds($0) })
        guard !servers.list.isEmpty else {
            throw CommandFailure(
                "no_servers",
                "no server answers on this network.\nOne that is elsewhere, or is not announced, is named: basket connect Work --server ADDRESS",
                exitCode: .notFound)
        }
        for server in servers.list {
            console.print(invocation.has("json") ? JSONText.line(server) : server.text)
        }
        return .success
    }
}
