import BasketSupport
import FileProviderDaemon
import FileProviderHost

/// `basket wait`
enum WaitCommand {
    static let command = Command(
        "wait", summary: "Wait until everything that was changed until now is on both sides.",
        details:
            "Of all domains, if none is named. Of a folder, until what was changed here in it is on the server. How far it is, is told on the way; a server that cannot be reached is waited for.",
        examples: [
            Command.Example("basket wait && sudo poweroff", "Once everything is safe."),
            Command.Example("basket wait ~/Basket/Work/thesis", "One folder."),
        ],
        options: [Options.json],
        arguments: [
            CommandArgument("PLACE", help: "A domain, or a folder in one.", count: .optional)
        ],
        exits: [.notFound, .unreachable], body: run)

    static func run(_ invocation: Invocation, _ console: Console) async throws -> ExitCode {
        let reach = try DaemonReach()
        var request = ControlRequest(.wait)
        let domains: [HostedDomainState]
        if let text = invocation.argument("PLACE") {
            let (domain, item) = try await reach.place(text)
            domains = [domain]
            if item.path?.isEmpty == false { request.items = [item] }
        } else {
            domains = try await reach.domains()
            if domains.isEmpty { throw CommandFailure.noDomains }
        }
        let meter = ProgressMeter(console, asJSON: invocation.has("json"))
        defer { meter.end() }
        // One that cannot be waited for keeps nobody from waiting for the others.
        var failures: [CommandFailure] = []
        for domain in domains {
            do {
                try await wait(for: domain, request, reach, meter)
            } catch let error as CommandFailure {
                failures.append(error)
            }
        }
        if let first = failures.first {
            let message = failures.map(\.message).joined(separator: "\n")
            throw CommandFailure(first.code, message, exitCode: first.exitCode)
        }
        return .success
    }

    private static let pause = Duration.seconds(2)

    /// A server that is away for a while is waited for, too.
    private static func wait(
        for domain: HostedDomainState, _ request: ControlRequest, _ reach: DaemonReach,
        _ meter: ProgressMeter
    ) async throws {
        var domain = domain
        while true {
            do {
                _ = try await reach.ask(domain, request, for: ControlDone.self) { meter.show($0) }
                return
            } catch let error as CommandFailure where error.exitCode == .unreachable {
                // Nobody but a person switches it on again.
                if domain.state == .disabled { throw error }
                meter.say("\(error.message)\nThis waits for it.")
                try await Task.sleep(for: pause)
                // Its host may be another one by now, or the first one.
                domain = try await reach.renewed(domain)
                _ = try? await reach.ask(domain, ControlRequest(.look), for: ControlDone.self)
            }
        }
    }
}
