import BasketSupport
import FileProviderDaemon
import FileProviderHost

/// `basket status`
enum StatusCommand {
    static let command = Command(
        "status", summary: "How each domain is: what moves, what waits and why, what to do.",
        details:
            "It ends with 0 only when everything that is here is known to be safe on the server, and with 15 otherwise: also where a domain is switched off, as nobody is there to say, or where files lie beside its folder that were written while it was not mounted.",
        examples: [
            Command.Example("basket status", "All domains, on one screen."),
            Command.Example("basket status Work --json", "One, for a script."),
        ],
        options: [Options.json],
        arguments: [
            CommandArgument(
                "DOMAIN", help: "Only this one.", count: .optional,
                completed: Options.domainNames)
        ],
        exits: [.notFound, .unreachable, .incomplete], body: run)

    /// A domain and how it is, as scripts see it.
    private struct Entry: Codable, Sendable {
        var domain: HostedDomainState
        var status: Status?
        var error: String?
        /// Folders with what was written to the domain's while nothing was mounted there.
        var strays: [String]?
    }

    static func run(_ invocation: Invocation, _ console: Console) async throws -> ExitCode {
        let reach = try DaemonReach()
        let domains =
            if let name = invocation.argument("DOMAIN") {
                [try await reach.domain(name)]
            } else { try await reach.domains() }
        guard !domains.isEmpty else { throw CommandFailure.noDomains }
        var isSafe = true
        for domain in domains {
            var entry = Entry(domain: domain)
            do {
                var request = ControlRequest(.status)
                request.limit = StatusText.mostLines
                entry.status = try await reach.ask(
                    domain, request, for: Status.self, within: ControlClient.patience)
            } catch let error as CommandFailure {
                entry.error = error.message
            }
            entry.strays = domain.folder.map { StrayFiles.asides(of: $0, LinuxFileSystem()) }
                .flatMap { $0.isEmpty ? nil : $0 }
            isSafe = isSafe && entry.strays == nil && entry.status?.isSafe ?? false
            console.print(
                invocation.has("json")
                    ? JSONText.line(entry)
                    : StatusText(
                        domain: domain, status: entry.status, error: entry.error,
                        strays: entry.strays ?? []
                    ).text)
        }
        return isSafe ? .success : .incomplete
    }
}
