import BasketConnection
import BasketContent
import BasketModels
import BasketProvider
import BasketSupport

/// `basket versions`
enum VersionsCommand {
    static let command = Command(
        "versions", summary: "What a file held before, the newest first, and who wrote it.",
        examples: [
            Command.Example("basket versions report.odt", "With the name of each version."),
            Command.Example("basket versions report.odt --json", "For a script."),
        ],
        options: [Options.json], arguments: [Options.item],
        exits: [.notFound, .unreachable, .forbidden], body: run)

    /// A version, as scripts see it.
    private struct Entry: Codable {
        var version: String
        var standing: String
        var size: Int64
        var sha256: String
        var stored: String
        var modified: String
        var account: String?
        var device: String?

        init(_ version: VersionInfo) {
            self.version = version.version.description
            standing = version.standing.rawValue
            size = version.size
            sha256 = version.sha256.hex
            stored = version.stored.rfc3339
            modified = version.modified.rfc3339
            account = version.account
            device = version.device
        }
    }

    static func run(_ invocation: Invocation, _ console: Console) async throws -> ExitCode {
        let reach = try DaemonReach()
        let (server, item) = try await reach.serverItem(invocation.argument("ITEM") ?? "")
        let versions = try await server.ask { server throws(ConnectionError) in
            try await server.versions(of: item.identifier)
        }
        for version in versions {
            console.print(
                invocation.has("json")
                    ? JSONText.line(Entry(version)) : VersionText(version).text)
        }
        return .success
    }
}
