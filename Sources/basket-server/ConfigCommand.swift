import BasketModels
import BasketSupport

/// `basket-server config`
enum ConfigCommand {
    static let command = Command(
        "config", summary: "Print what is in force, and where each value comes from.",
        examples: [
            Command.Example(
                "basket-server config --config /etc/basket/server.conf", "Before a restart."),
            Command.Example("basket-server config --json", "For a script."),
        ],
        options: ServerSettings.table.options + [ServerOptions.json]
    ) { invocation, console in
        let configuration = try ServerSettings.resolve(invocation)
        for entry in configuration.entries {
            if invocation.has("json") {
                console.print(
                    JSONText.object { writer in
                        writer.key("name")
                        writer.string(entry.name)
                        writer.key("value")
                        writer.string(entry.text)
                        writer.key("source")
                        writer.string(entry.source.description)
                    })
            } else {
                console.print("\(entry.name) = \(entry.text)\t# \(entry.source)")
            }
        }
        for name in configuration.unknownVariables {
            console.say("basket-server: \(name) is set, but names no setting.")
        }
        return .success
    }
}
