import BasketSupport
import FileProviderHost

/// `basket hydrations`
enum HydrationsCommand {
    static let command = ListCommand.command(
        "hydrations", summary: "Who had which file's bytes brought here, the latest first.",
        details: "A program that reads everything shows itself here.",
        examples: [
            Command.Example("basket hydrations | head", "What came last, and for whom."),
            Command.Example(
                "basket hydrations --json | grep updatedb", "What one program had brought."),
        ],
        asking: .hydrations, nothing: "Nobody had anything brought here."
    ) { (hydration: HydrationEntry) in
        let program = hydration.program.map { Words.shown($0) } ?? "nobody who waited"
        return """
            \(Words.moment(hydration.last))  \(Words.right(Words.bytes(hydration.bytes), 10))  \
            \(hydration.item.map { Words.path($0.path) } ?? "what is gone now")  (\(program))
            """
    }
}
