import BasketSupport
import FileProviderDaemon
import FileProviderHost

/// `basket wait`
enum WaitCommand {
    static let command = Command(
        "wait", summary: "Wait until everything that was changed until now is on both sides.",
        details:
            "Of a folder, until what was changed here in it is on the server. How far it is, is told on the way; a server that cannot be reached is waited for.",
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
        let text = invocation.argument("PLACE")
        var request = ControlRequest(.wait)
        let domain: HostedDomainState
        if let text {
            let (place, item) = try await reach.place(text)
            domain = place
            if item.path?.isEmpty == false { request.items = [item] }
        } else {
            domain = try await reach.domain(nil)
        }
        let meter = ProgressMeter(console, asJSON: invocation.has("json"))
        defer { meter.end() }
        try await wait(for: domain, request, reach, meter)
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
