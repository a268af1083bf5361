import BasketModels
import BasketSupport
import FileProviderDaemon
import Glibc

/// `basket daemon`
enum DaemonCommandLine {
    static let command = Command(
        "daemon", summary: "Keep this person's domains mounted and in step until told to stop.",
        details: """
            ‘basket connect’ starts it where nobody else does; the systemd unit ‘basket.service’ starts it when \
            you log in. Each domain is hosted by a process of its own: should one end, the next goes on \
            where it was, and programs that have files open there notice a pause at most.
            """,
        examples: [
            Command.Example("basket daemon", "In a terminal, to see what happens."),
            Command.Example("systemctl --user enable --now basket", "From now on at each log-in."),
        ],
        options: [logLevel], exits: [.conflict], body: run)

    static let logLevel = CommandOption(
        "log-level", placeholder: Log.Level.placeholder, help: "The least level that is logged.",
        note: "default info, or what BASKET_LOG_LEVEL says")

    static func run(_ invocation: Invocation, _ console: Console) async throws -> ExitCode {
        let signals = SignalSource.take()
        let environment = ProcessEnvironment.variables()
        let places = try PersonalPlaces.find(environment)
        let (world, writer) = try ServiceLog.open(invocation, environment)
        defer { writer.stop() }
        let notifier = ServiceNotifier(environment: environment, processID: getpid())
        let program = try ProgramPath.own()
        let daemon: Daemon
        do {
            daemon = try Daemon(
                places: places, program: program,
                version: BasketVersion.current, mounts: NextProgram.leftMounts(), world: world)
        } catch let error as FileLock.Held {
            let process = error.process.map { " (process \($0))" } ?? ""
            throw CommandFailure(
                "daemon_runs",
                "there is a daemon of yours already\(process).\n‘basket status’ asks it how things are.",
                exitCode: .conflict)
        }
        let stopping = Task {
            for await number in signals {
                world.log.notice("signal", ["number": .number(Int64(number))])
                if number == SIGHUP {
                    daemon.wishRenewal()
                    continue
                }
                notifier.stopping()
                daemon.stop()
            }
        }
        defer { stopping.cancel() }
        let left = try await daemon.run {
            world.log.notice("ready", ["folder": .text(places.folders)])
            notifier.ready(status: "domains are in \(places.folders)")
        }
        if let left {
            world.log.notice("another program goes on", ["program": .text(program)])
            writer.stop()
            try NextProgram.start(program, leaving: left)
        }
        world.log.notice("stopped")
        return .success
    }
}
