import BasketModels
import BasketSupport
import Glibc

/// `basket-server serve`
enum ServeCommand {
    static let command = Command(
        "serve", summary: "Serve the data folder until told to stop.",
        details: """
            On the first start it makes the account ‘admin’ and prints its password, once. On an \
            address that other machines reach it speaks TLS, with your certificate or with its own, \
            whose fingerprint ‘basket-server tls’ shows. SIGHUP has it read its certificate and its \
            settings again; SIGTERM ends it once what is under way is done.

            Where other machines reach it, Avahi tells the local network of it, by its --name: ‘basket discover’ \
            finds it there. With --no-announce nobody is told.
            """,
        examples: [
            Command.Example("basket-server serve --data ~/basket", "For this machine alone."),
            Command.Example(
                "basket-server serve --data /srv/basket --listen 0.0.0.0:8443",
                "For the local network, over TLS."),
            Command.Example(
                "basket-server serve --data /srv/basket --listen 0.0.0.0:8443 --name Family",
                "The same, to be found there as ‘Family’."),
            Command.Example(
                "basket-server serve --config /etc/basket/server.conf",
                "With settings from a file; ‘basket-server config’ shows what is in force."),
        ],
        options: ServerSettings.table.options + [json], body: run)

    private static let json = CommandOption(
        "json", help: "Say where it listens, and the first password, as JSON on standard output.")

    static func run(_ invocation: Invocation, _ console: Console) async throws -> ExitCode {
        // Those that come while it starts are dealt with once it listens.
        let signals = SignalSource.take()
        let configuration = try ServerSettings.resolve(invocation)
        let clock = World.live(log: .silent)
        let writer = LogWriter(
            configuration[ServerSettings.logFormat], now: clock.now, descriptor: STDERR_FILENO)
        defer { writer.stop() }
        let world = World.live(log: writer.log(level: configuration[ServerSettings.logLevel]))
        let environment = ProcessEnvironment.variables()
        let notifier = ServiceNotifier(environment: environment, processID: getpid())
        for name in configuration.unknownVariables {
            world.log.warning("unknown variable", ["name": .text(name)])
        }
        let asJSON = invocation.has("json")
        let server = try await RunningServer(
            configuration, environment: environment, world: world
        ) { LostWrites.end($0, console: console, asJSON: asJSON) }
        if invocation.has("json") {
            console.print(greeting(server))
        } else if let password = server.firstPassword {
            // Not a line of the log, which others may read.
            console.say(firstWords(password, server, environment, world))
        }
        console.say("Basket \(BasketVersion.current) listens on \(server.address)")
        notifier.ready(status: "listening on \(server.address)")
        let reader = SettingsReader(invocation: invocation, first: configuration)
        await wait(server, signals, notifier, reader, world)
        console.say("Basket stops.")
        await server.stop()
        world.log.notice("stopped")
        return .success
    }

    private static func greeting(_ server: RunningServer) -> String {
        JSONText.object { writer in
            writer.key("address")
            writer.string(server.address)
            if let fingerprint = server.fingerprint {
                writer.key("fingerprint")
                writer.string(fingerprint)
            }
            if let password = server.firstPassword {
                writer.key("account")
                writer.string("admin")
                writer.key("password")
                writer.string(password)
            }
        }
    }

    /// The journal of a machine keeps what is said, and others read it.
    private static func firstWords(
        _ password: String, _ server: RunningServer, _ environment: [String: String], _ world: World
    ) -> String {
        var (shown, standing) = (password, "is shown only now")
        if SystemJournal.hasStandardError(environment) {
            let file = FirstPasswordFile(in: server.dataPath)
            do {
                try file.write(password, world.files)
                (shown, standing) = (
                    "lies in \(file.path)", "is nowhere else: remove the file once you have it"
                )
            } catch {
                // Better said to some than known to nobody.
                world.log.warning("the first password is in no file", ["error": .text("\(error)")])
            }
        }
        let certificate = server.fingerprint.map { fingerprint in
            """
            The certificate that clients should see has the SHA-256 fingerprint

                \(fingerprint)


            """
        }
        return """

            This is the first start. Log in at \(server.reachableAddress) with

                account   admin
                password  \(shown)

            The password \(standing). This makes another one:

                basket-server account password admin --data \(server.dataPath)

            \(certificate ?? "")
            """
    }

    /// Returns when a signal asks for the end.
    private static func wait(
        _ server: RunningServer, _ signals: AsyncStream<Int32>, _ notifier: ServiceNotifier,
        _ reader: SettingsReader, _ world: World
    ) async {
        await withTaskGroup(of: Void.self) { group in
            if let interval = notifier.watchdogInterval {
                group.addTask {
                    // Cancelled at the end; until then the server is alive as long as this runs.
                    while (try? await world.sleep(interval / 2)) != nil { notifier.watchdog() }
                }
            }
            group.addTask { await server.keepHouse() }
            group.addTask {
                for await number in signals {
                    world.log.notice("signal", ["number": .number(Int64(number))])
                    if number != SIGHUP { return }
                    notifier.reloading(uptime: world.uptime())
                    reader.refresh(server, world.log)
                    notifier.ready(status: "listening on \(server.address)")
                }
            }
            // The signals' task is the only one that ends by itself.
            await group.next()
            notifier.stopping()
            group.cancelAll()
        }
    }
}
