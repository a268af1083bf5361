import BasketModels
import BasketSupport
import FileProviderDaemon
import FileProviderHost

/// `basket config`
enum ConfigCommand {
    static let command = Command(
        "config",
        summary: "Print what you have set for your domains, and where; it holds from then on.",
        details: """
            The file is ~/.config/basket/client.conf (or below XDG_CONFIG_HOME), with lines such as ‘cache-most = \
            20GiB’; each can also be set in the environment of the daemon, as BASKET_CACHE_MOST. What can be set:

            \(PersonalSettings.help)
            """,
        examples: [
            Command.Example("basket config", "After a change: running domains go by it."),
            Command.Example("basket config --json", "For a script."),
        ],
        options: [Options.json]
    ) { invocation, console in
        let reach = try DaemonReach()
        let domains = (try? await reach.domains()) ?? []
        for entry in try entries(at: reach.places.settings, domains) {
            if invocation.has("json") {
                console.print(
                    JSONText.line(
                        ConfigEntry(
                            name: entry.name, value: entry.text,
                            source: entry.source.description)))
            } else {
                console.print("\(entry.name) = \(entry.text)\t# \(entry.source)")
            }
        }
        // Whoever is not there reads it when it begins.
        for domain in domains where domain.socket != nil {
            _ = try? await reach.ask(
                domain, ControlRequest(.look), for: ControlDone.self,
                within: ControlClient.patience)
        }
        return .success
    }

    /// The daemon may have been started with other variables than whoever asks.
    private static func entries(
        at path: String, _ domains: [HostedDomainState]
    ) throws -> [Configuration.Entry] {
        let hosts = domains.lazy.compactMap(\.process)
        let variables = hosts.compactMap(ProcessEnvironment.variables(ofProcess:)).first
        do {
            return try PersonalSettings.entries(
                at: path, variables ?? ProcessEnvironment.variables())
        } catch {
            throw CommandFailure(
                "config_unreadable", "\(error).\nUntil then, what was set before holds.")
        }
    }
}

/// One line of `basket config --json`.
private struct ConfigEntry: Codable, Sendable {
    let name: String
    let value: String
    let source: String
}
