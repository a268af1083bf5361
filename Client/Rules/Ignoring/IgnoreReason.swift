/// Which line decided about an item, for people who ask.
package struct IgnoreReason: Equatable, Sendable {
    package enum Place: Equatable, Sendable {
        /// What Basket knows of editors and systems.
        case builtIn
        /// The list in a folder, by the names on the way to it.
        case folder([String])
    }

    package let place: Place
    /// Counts from one.
    package let line: Int
    package let pattern: String
    /// What the line found: the item, or a folder that it lies in.
    package let path: [String]

    /// `'build' by line 3 of src/.basketignore (build/)`
    package var description: String {
        let list =
            switch place {
            case .builtIn: "Basket's own list"
            case .folder(let folder): (folder + [".basketignore"]).joined(separator: "/")
            }
        return "'\(path.joined(separator: "/"))' by line \(line) of \(list) (\(pattern))"
    }
}
