import BasketSupport
import FileProviderHost

/// `basket rescued`
enum RescuedCommand {
    static let command = ListCommand.command(
        "rescued", summary: "What was kept aside because its bytes are nowhere else.",
        details: """
            It stays for 30 days in which this device runs. The second line of each is where the bytes are: copy \
            them, but do not move them or write to them.
            """,
        examples: [
            Command.Example("basket rescued", "What there is, why, and where."),
            Command.Example("basket rescued Work --json", "For a script, with the file of each."),
        ],
        asking: .rescued, nothing: "Nothing was kept aside."
    ) { (entry: RescuedEntry) in
        """
        \(Words.path(entry.path)): \(Words.shown(entry.reason)) \
        (\(Words.bytes(entry.size)), since \(Words.moment(entry.since)))
            \(Words.shown(entry.file))
        """
    }
}
