import BasketModels
import BasketSupport

/// `basket-server version`
enum VersionCommand {
    static let command = Command(
        "version", summary: "Print which Basket this is.",
        examples: [Command.Example("basket-server version", "Such as \(BasketVersion.current).")],
        options: [ServerOptions.json]
    ) { invocation, console in
        if invocation.has("json") {
            console.print(
                JSONText.object { writer in
                    writer.key("version")
                    writer.string(BasketVersion.current)
                })
        } else {
            console.print(BasketVersion.current)
        }
        return .success
    }
}
