import BasketProvider
import BasketSupport
import FileProviderDaemon

/// `basket host DOMAIN`
enum HostCommand {
    static let command = Command(
        "host", summary: "Host one domain for a daemon, which starts this itself.",
        examples: [
            Command.Example("basket daemon", "Starts one of these for each domain.")
        ],
        options: [DaemonCommandLine.logLevel],
        arguments: [CommandArgument("DOMAIN", help: "The domain's identifier.")], body: run)

    static func run(_ invocation: Invocation, _ console: Console) async throws -> ExitCode {
        guard HostProgram.isStartedByDaemon else {
            throw CommandFailure(
                "not_by_daemon",
                "this is started by ‘basket daemon’, and does nothing by itself.\nStart that.",
                exitCode: .usage)
        }
        let (world, writer) = try ServiceLog.open(invocation, ProcessEnvironment.variables())
        defer { writer.stop() }
        var domain = world
        domain.log = world.log.with("domain", .text(invocation.argument("DOMAIN") ?? ""))
        // The kernel calls it by how it was started.
        ProcessName.set("basket")
        // Of the daemon's signals it needs none: when the daemon goes, the link ends.
        let log = world.log
        try await HostProgram(world: domain, settingsFile: PersonalPlaces.find().settings) {
            BasketExtension(domain: $0, log: log)
        }.run()
        return .success
    }
}
