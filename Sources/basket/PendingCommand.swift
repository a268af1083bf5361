import BasketSupport
import FileProviderHost

/// `basket pending`
enum PendingCommand {
    static let command = ListCommand.command(
        "pending", summary: "What has waited for longer than a moment, and for what.",
        examples: [
            Command.Example("basket pending", "The longest first."),
            Command.Example("basket pending Work --json", "With the error and the next attempt."),
        ],
        asking: .pending, nothing: "Nothing waits."
    ) { (state: ItemState) in StateText(state).text }
}
