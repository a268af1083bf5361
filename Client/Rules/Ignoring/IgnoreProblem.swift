/// What is wrong with a line of an ignore list.
package enum IgnoreProblem: Error, Equatable, Sendable {
    case namesNothing
    case openBracket
    case badRange
    case unknownClass(String)
    case danglingEscape
    case tooLong(limit: Int)
    case tooManyPatterns(limit: Int)
    case listTooLong(limit: Int)

    package var message: String {
        switch self {
        case .namesNothing: "the line names nothing."
        case .openBracket: "'[' is not closed. Write \\[ for the sign."
        case .badRange: "a range in brackets goes from the lower letter to the higher one."
        case .unknownClass(let name): "there is no class '\(name)'."
        case .danglingEscape: "a backslash at the end stands before nothing."
        case .tooLong(let limit): "a pattern is no longer than \(limit) characters."
        case .tooManyPatterns(let limit):
            "a list holds up to \(limit) patterns. This one and those behind it are passed over."
        case .listTooLong(let limit):
            "a list of more than \(limit / 1024) KiB is surely another file, and passed over."
        }
    }
}
