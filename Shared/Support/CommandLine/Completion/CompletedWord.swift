/// What a shell offers for a word of a command line.
package enum CompletedWord: Sendable, Equatable {
    case nothing
    case files
    case choice([String])
    /// Each line that the program itself prints for these arguments.
    case lines(of: [String])

    private static let fileNames: Set<String> = ["FILE", "FOLDER", "PATH", "DIR", "ITEM", "PLACE"]

    /// By what stands for the word in the help.
    init(placeholder: String) {
        let words = placeholder.split(separator: "|").map(String.init)
        if words.count > 1 {
            self = .choice(words)
        } else {
            self = Self.fileNames.contains(placeholder) ? .files : .nothing
        }
    }
}
