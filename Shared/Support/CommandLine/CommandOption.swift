/// An option of a command: `--name=value`, or `--name` and, where it can be negated, `--no-name`.
package struct CommandOption: Sendable {
    package let name: String
    /// One letter, only for what is typed daily: `-q`.
    package let short: Character?
    /// Stands for the value in the help; nil for what is switched on and off.
    package let placeholder: String?
    package let help: String
    /// What follows the help in brackets, such as the default.
    package let note: String?
    package let isNegatable: Bool
    package let isRepeatable: Bool

    package init(
        _ name: String, short: Character? = nil, placeholder: String? = nil, help: String,
        note: String? = nil, isNegatable: Bool = false, isRepeatable: Bool = false
    ) {
        self.name = name
        self.short = short
        self.placeholder = placeholder
        self.help = help
        self.note = note
        self.isNegatable = isNegatable
        self.isRepeatable = isRepeatable
    }

    var takesValue: Bool { placeholder != nil }

    /// How the help writes it: `-q, --quiet`, `--listen ADDR:PORT`.
    var synopsis: String {
        let long = "--" + (isNegatable ? "[no-]" : "") + name
        let letter = short.map { "-\($0), " } ?? ""
        return letter + long + (placeholder.map { " " + $0 } ?? "")
    }

    package static let help = CommandOption("help", short: "h", help: "Print this text.")
}
