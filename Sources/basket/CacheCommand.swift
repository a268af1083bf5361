import BasketSupport
import FileProviderHost

/// `basket cache`
enum CacheCommand {
    static let command = ListCommand.command(
        "cache", summary: "Which files' bytes are here, and why each of them stays.",
        details:
            "The longest unused first, which is the order in which they go when the room is wanted.",
        examples: [
            Command.Example("basket cache", "All of it, with what each takes."),
            Command.Example(
                "basket cache Work --json | grep -c may_go", "How many files may go."),
        ],
        asking: .cache, nothing: "No bytes are here."
    ) { (content: CachedContent) in
        let used = content.lastUsed.map { ", last used \(Words.moment($0))" } ?? ""
        return """
            \(Words.right(Words.bytes(content.bytes), 10))  \(Words.path(content.item.path))  \
            (\(Self.words(content.reason))\(used))
            """
    }

    private static func words(_ reason: CachedContent.Reason) -> String {
        switch reason {
        case .unsent: "not on the server yet"
        case .onlyHere: "here alone"
        case .inUse: "in use"
        case .pinned: "pinned"
        case .rules: "this device goes by it"
        case .mayGo: "until the room is wanted"
        }
    }
}
