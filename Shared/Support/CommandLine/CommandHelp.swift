/// The text that `--help` prints: an example first, then the form, then every word of it.
struct CommandHelp {
    private static let width = 90
    /// Where the explanations of options and commands begin.
    private static let column = 28

    private let path: CommandPath

    init(path: [Command]) {
        self.path = CommandPath(path)
    }

    private var command: Command { path.command }

    var text: String {
        var parts: [String] = []
        if !command.examples.isEmpty {
            let examples = command.examples.map { example in
                "  \(example.line)\n" + Self.wrapped(example.effect, indent: 6)
            }
            parts.append((["Example:"] + examples).joined(separator: "\n"))
        }
        parts.append("\(path.text): " + command.summary)
        if !command.details.isEmpty {
            let paragraphs = command.details.split(separator: "\n\n")
            parts += paragraphs.map { Self.wrapped(String($0), indent: 0) }
        }
        parts.append("Usage: " + path.usage)
        parts += [
            list("Commands:", command.commands.map { ($0.name, $0.summary) }),
            list("Arguments:", command.arguments.map { ($0.name, $0.help) }),
            list("Options:", options),
            list("Exit status:", path.exits.map { ("\($0.rawValue)", $0.meaning) }),
        ].filter { !$0.isEmpty }
        return parts.joined(separator: "\n\n")
    }

    private var options: [(String, String)] {
        path.options.map { option in
            (option.synopsis, option.help + (option.note.map { " (\($0))" } ?? ""))
        }
    }

    private func list(_ title: String, _ rows: [(name: String, help: String)]) -> String {
        guard !rows.isEmpty else { return "" }
        let lines = rows.map { row in
            let name = "  " + row.name
            let help = Self.wrapped(row.help, indent: Self.column)
            guard name.count < Self.column - 1 else { return name + "\n" + help }
            return name + help.dropFirst(name.count)
        }
        return ([title] + lines).joined(separator: "\n")
    }

    /// The words in lines of at most the width, each behind the indent.
    private static func wrapped(_ text: String, indent: Int) -> String {
        let margin = String(repeating: " ", count: indent)
        var lines: [String] = []
        var line = ""
        for word in text.split(whereSeparator: \.isWhitespace) {
            if !line.isEmpty, indent + line.count + 1 + word.count > width {
                lines.append(margin + line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return (lines + [margin + line]).joined(separator: "\n")
    }
}
