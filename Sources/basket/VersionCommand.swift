import BasketModels
import BasketSupport

/// `basket version`
enum VersionCommand {
    static let command = Command(
        "version", summary: "Print which Basket this is.",
        examples: [Command.Example("basket version", "Such as \(BasketVersion.current).")],
        options: [Options.json]
    ) { invocation, console in
        console.print(
            invocation.has("json")
                ? JSONText.line(["version": BasketVersion.current]) : BasketVersion.current)
        return .success
    }
}
