/// Text for `man`, in which dots, hyphens, quotes and backslashes mean something else.
enum RoffText {
    private static let names: [Unicode.Scalar: String] = [
        "\\": "\\e", "-": "\\-", "'": "\\(aq", "\"": "\\(dq", "^": "\\(ha", "~": "\\(ti",
        "`": "\\(ga",
    ]

    static func escaped(_ text: String) -> String {
        var shown = ""
        for scalar in text.unicodeScalars {
            if let name = names[scalar] {
                shown += name
            } else if scalar.isASCII {
                shown.unicodeScalars.append(scalar)
            } else {
                let digits = String(scalar.value, radix: 16, uppercase: true)
                let zeros = String(repeating: "0", count: max(0, 4 - digits.count))
                shown += "\\[u\(zeros)\(digits)]"
            }
        }
        return shown
    }

    /// The same where a line begins with it.
    static func line(_ text: String) -> String {
        let text = escaped(text)
        return text.hasPrefix(".") ? "\\&" + text : text
    }

    /// - Parameter isFirst: whether a heading stands before the first one.
    static func paragraphs(_ text: String, isFirst: Bool = true) -> [String] {
        let paragraphs = text.split(separator: "\n\n").map { line(String($0)) }
        return paragraphs.enumerated().flatMap { index, paragraph in
            index == 0 && isFirst ? [paragraph] : [".PP", paragraph]
        }
    }

    static func synopsis(_ path: CommandPath) -> String {
        let words = path.usage.dropFirst(path.text.count)
        return "\\fB\(escaped(path.text))\\fR\(escaped(String(words)))"
    }

    /// A word, and what it means.
    static func entry(_ word: String, _ help: String) -> [String] {
        [".TP", "\\fB\(escaped(word))\\fR", line(help)]
    }

    static func arguments(_ path: CommandPath) -> [String] {
        path.command.arguments.flatMap { entry($0.name, $0.help) }
    }

    static func options(_ options: [CommandOption]) -> [String] {
        options.flatMap { option in
            entry(option.synopsis, option.help + (option.note.map { " (\($0))" } ?? ""))
        }
    }

    static func examples(_ command: Command) -> [String] {
        command.examples.flatMap { entry($0.line, $0.effect) }
    }
}
