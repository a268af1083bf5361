import BasketSupport
import FileProviderHost

/// `basket pin`
enum PinCommand {
    static let command = ItemsCommand.command(
        "pin", summary: "Keep items on this device, always.",
        details:
            "Of a folder, all that lies in it, and what comes into it. It is brought here by and by.",
        examples: [
            Command.Example("basket pin ~/Basket/Work/thesis", "For the train."),
            Command.Example(
                "basket pin thesis && basket download --wait thesis", "And wait until it is here."),
        ], asking: .pin)
}
