import BasketSupport
import FileProviderHost

/// `basket refresh`
enum RefreshCommand {
    static let command = DomainCommand.command(
        "refresh", summary: "Ask the server now for what has changed.",
        details: "That happens by itself; a pause after failures is over with this.",
        examples: [
            Command.Example("basket refresh", "When the network is back, and one cannot wait."),
            Command.Example("basket refresh Work", "One of several domains."),
        ], asking: .look)
}
