import BasketSupport
import FileProviderHost

/// `basket evict`
enum EvictCommand {
    static let command = ItemsCommand.command(
        "evict", summary: "Have the bytes of items go from this device; on the server they stay.",
        details: """
            Of a folder, those of everything below. What the server has not got yet, what is pinned and what a \
            program has open has to stay, and is named.
            """,
        examples: [
            Command.Example("basket evict ~/Basket/Work/films", "Make room now."),
            Command.Example("basket evict *.mkv", "Some files of the folder one is in."),
        ], asking: .evict, exits: [.conflict])
}
