import BasketSupport
import FileProviderHost

/// `basket unpin`
enum UnpinCommand {
    static let command = ItemsCommand.command(
        "unpin", summary: "Keep items on this device no longer than anything else.",
        details: "The bytes stay until the room is wanted; ‘basket evict’ has them go at once.",
        examples: [
            Command.Example("basket unpin ~/Basket/Work/thesis", "Back from the train."),
            Command.Example("basket unpin thesis && basket evict thesis", "And make room now."),
        ], asking: .unpin)
}
