import BasketConnection
import BasketModels
import BasketProvider
import BasketSupport
import FileProviderHost

/// `basket log`
enum LogCommand {
    private static let usualEntries = 20
    private static let mostEntries = 1000

    static let command = Command(
        "log", summary: "What changed last in a domain, in a folder, or of a file.",
        details: """
            Each item comes once, with its latest change; of a file, each of its versions. The server does not tell \
            when something was renamed or moved, nor who did it; what was deleted past the trash is not in the list.
            """,
        examples: [
            Command.Example("basket log", "The latest changes, the newest first."),
            Command.Example("basket log ~/Basket/Work/thesis --limit 5", "In one folder."),
            Command.Example("basket log report.odt --json", "Of one file, for a script."),
        ],
        options: [
            CommandOption(
                "limit", placeholder: "COUNT", help: "How many are listed.",
                note: "default \(usualEntries)"),
            Options.json,
        ],
        arguments: [
            CommandArgument(
                "PATH", help: "A domain, or an item in one; the folder one is in when left out.",
                count: .optional)
        ],
        exits: [.notFound, .unreachable, .forbidden], body: run)

    static func run(_ invocation: Invocation, _ console: Console) async throws -> ExitCode {
        let limit =
            try Options.number("limit", of: invocation, in: 1...mostEntries) ?? usualEntries
        let reach = try DaemonReach()
        let (domain, place) = try await reach.place(invocation.argument("PATH"))
        let server = try await ReachedServer(of: domain)
        func print(_ entry: LogEntry) throws {
            try console.list(invocation.has("json") ? JSONText.line(entry) : entry.text)
        }
        let top =
            place.path == "" ? nil : try await reach.serverItem(place, in: domain)
        if let top, !top.isFolder {
            let versions = try await server.ask { server throws(ConnectionError) in
                try await server.versions(of: top.identifier)
            }
            for version in versions.prefix(limit) {
                try print(LogEntry(version, of: top.identifier, at: top.path))
            }
            return .success
        }
        let changes = try await server.ask { server throws(ConnectionError) in
            try await server.latestChanges(limit, below: top?.identifier)
        }
        for change in changes {
            let version = try await server.ask { server throws(ConnectionError) in
                try await server.writing(behind: change)
            }
            try print(LogEntry(change, version))
        }
        return .success
    }
}
