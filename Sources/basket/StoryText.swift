import FileProviderHost

/// What is known of an item, in lines for people.
struct StoryText {
    private let story: ItemStory

    init(_ story: ItemStory) {
        self.story = story
    }

    var text: String {
        let item = story.state.item
        var lines = [item.path.isEmpty ? "the domain's root" : Words.shown(item.path)]
        lines.append("  kind       \(item.kind), \(Words.bytes(item.size))")
        if let identifier = item.identifier {
            lines.append("  identifier \(Words.shown(identifier))")
        }
        lines += trees
        lines.append("  next       \(story.state.next)")
        if let other = story.state.waitsFor {
            lines.append("  waits for  \(Words.shown(other.path))")
        }
        if let trouble = story.state.trouble {
            lines.append("  trouble    \(Words.shown(trouble.message))")
            lines.append(
                "             since \(Words.moment(trouble.since)), "
                    + Words.count(trouble.attempts, "attempt", "attempts"))
            lines.append("             tried again at \(Words.moment(trouble.retry))")
        }
        if let reason = story.keeps { lines.append("  bytes here \(Self.words(reason))") }
        if item.kind == "file", story.keeps == nil { lines.append("  bytes here none") }
        lines.append("  policy     \(story.policy)")
        if story.isOpen { lines.append("  open       a program has it open") }
        if story.isHeld { lines.append("  removal    held back: see ‘basket removals’") }
        for transfer in story.transfers {
            lines.append(
                """
                  \(transfer.isUpload ? "sending   " : "fetching  ") \(Words.bytes(transfer.completedBytes)) of \
                \(Words.bytes(transfer.bytes))
                """)
        }
        for mark in story.decorations {
            lines.append("  marked     \(Words.shown(mark.label ?? mark.identifier))")
        }
        for hydration in story.hydrations {
            lines.append(
                """
                  brought by \(Words.shown(hydration.program ?? "nobody who waited")), \(Words.bytes(hydration.bytes)), \
                \(Words.moment(hydration.last))
                """)
        }
        for flaw in story.flaws {
            lines.append("  line \(flaw.line)    \(Words.shown(flaw.message))")
        }
        return lines.joined(separator: "\n")
    }

    /// What it is called and holds: here, on the server, and when both were last the same where they are not.
    private var trees: [String] {
        let report = story.report
        let sides = [("here", report.local), ("server", report.remote), ("before", report.synced)]
        let described = sides.map { side, tree in
            let content = tree?.content.map { ", \(Words.shown($0))" } ?? ""
            return (side, tree.map { "‘\(Words.shown($0.name))’\(content)" } ?? "nothing")
        }
        let isAtOnePlace = report.local?.parent == report.remote?.parent
        let areAlike = isAtOnePlace && described[0].1 == described[1].1
        return described.prefix(areAlike ? 2 : 3).map { side, words in
            "  \(Words.left(side, 10)) \(words)"
        }
    }

    static func words(_ reason: CachedContent.Reason) -> String {
        switch reason {
        case .unsent: "and not on the server yet"
        case .onlyHere: "and here alone"
        case .inUse: "and in use"
        case .pinned: "because they are pinned"
        case .rules: "because this device goes by them"
        case .mayGo: "until the room is wanted"
        }
    }
}
