import BasketSupport
import FileProviderHost

/// `basket check`
enum CheckCommand {
    static let command = Command(
        "check", summary: "Look whether all that is stored here of a domain agrees.",
        details:
            "It reads every item, and everything else goes on meanwhile. With 14, something was found.",
        examples: [
            Command.Example("basket check", "After a disk that was not well."),
            Command.Example("basket check Work --json", "For a report."),
        ],
        options: [Options.json], arguments: [Options.domain],
        exits: [.notFound, .unreachable, .damaged]
    ) { invocation, console in
        let reach = try DaemonReach()
        let domain = try await reach.domain(invocation.argument("DOMAIN"))
        let problems = try await reach.ask(
            domain, ControlRequest(.check), for: Listed<ProblemEntry>.self)
        for problem in problems.entries {
            let place = problem.path.map { "\(Words.path($0)): " } ?? ""
            console.print(
                invocation.has("json")
                    ? JSONText.line(problem) : place + Words.shown(problem.problem))
        }
        return problems.entries.isEmpty ? .success : .damaged
    }
}
