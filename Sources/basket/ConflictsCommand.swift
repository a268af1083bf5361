import BasketConnection
import BasketModels
import BasketProvider
import BasketSupport

/// `basket conflicts`
enum ConflictsCommand {
    static let command = Command(
        "conflicts", summary: "Files with versions that nobody has decided on yet.",
        details: """
            All of the domain is read for that on the server, also what is not here. ‘basket versions’ tells whose they \
            are. Where a client has put the content that lost into a file beside the other, that is a file as any: \
            ‘basket search conflict’ finds those.
            """,
        examples: [
            Command.Example("basket conflicts", "Which files they are."),
            Command.Example(
                "basket resolve report.odt --keep other", "Decide about one of them."),
        ],
        options: [Options.json], arguments: [Options.domain],
        exits: [.notFound, .unreachable, .forbidden], body: run)

    /// A file that waits, as scripts see it.
    private struct Entry: Codable {
        var identifier: String
        var path: String
        var isInTrash: Bool
        var conflicts: Int
    }

    static func run(_ invocation: Invocation, _ console: Console) async throws -> ExitCode {
        let reach = try DaemonReach()
        let server = try await ReachedServer(
            of: reach.domain(invocation.argument("DOMAIN")))
        let asJSON = invocation.has("json")
        var count = 0
        try await server.ask { server throws(ConnectionError) in
            try await server.survey { item, tree in
                guard item.conflicts > 0 else { return }
                count += 1
                let entry = Entry(
                    identifier: item.id, path: tree.path(of: item) ?? item.name,
                    isInTrash: tree.isInTrash(item), conflicts: item.conflicts)
                console.print(asJSON ? JSONText.line(entry) : text(entry))
            }
        }
        if count == 0, !asJSON { console.say("Nothing waits for a decision.") }
        return .success
    }

    private static func text(_ entry: Entry) -> String {
        let versions = Words.count(entry.conflicts, "version waits", "versions wait")
        return "\(Words.path(entry.path))  (\(versions)\(entry.isInTrash ? ", in the trash" : ""))"
    }
}
