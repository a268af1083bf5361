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
    /// What a shell offers for the value.
    let completed: CompletedWord

    /// - Parameter completed: what a shell offers, where the placeholder does not tell.
    package init(
        _ name: String, short: Character? = nil, placeholder: String? = nil, help: String,
        note: String? = nil, isNegatable: Bool = false, isRepeatable: Bool = false,
        completed: CompletedWord? = nil
    ) {
        self.name = name
        self.short = short
        self.placeholder = placeholder
        self.help = help
        self.note = note
        self.isNegatable = isNegatable
        self.isRepeatable = isRepeatable
        self.completed = completed ?? CompletedWord(placeholder: placeholder ?? "")
    }

    var takesValue: Bool { placeholder != nil }

    /// How the help writes it: `-q, --quiet`, `--listen ADDR:PORT`.
    var synopsis: String {
        let long = "--" + (isNegatable ? "[no-]" : "") + name
        let letter = short.map { "-\($0), " } ?? ""
        return letter + long + (placeholder.map { " " + $0 } ?? "")
    }

    /// All words by which it can be given.
    var words: [String] {
        ["--\(name)"] + (isNegatable ? ["--no-\(name)"] : []) + (short.map { ["-\($0)"] } ?? [])
    }

    package static let help = CommandOption("help", short: "h", help: "Print this text.")
}
