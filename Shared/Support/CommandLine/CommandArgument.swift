/// A word of a command line that is known by its place.
package struct CommandArgument: Sendable {
    package enum Count: Sendable {
        case one, optional, any
        /// One at least.
        case many
    }

    /// As the help writes it: `NAME`.
    package let name: String
    package let help: String
    package let count: Count
    let completed: CompletedWord

    /// - Parameter completed: what a shell offers, where the name does not tell.
    package init(
        _ name: String, help: String, count: Count = .one, completed: CompletedWord? = nil
    ) {
        self.name = name
        self.help = help
        self.count = count
        self.completed = completed ?? CompletedWord(placeholder: name)
    }

    var synopsis: String {
        switch count {
        case .one: name
        case .optional: "[\(name)]"
        case .any: "[\(name) …]"
        case .many: "\(name) …"
        }
    }
}
