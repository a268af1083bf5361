/// Why an expression is not taken.
package enum RegexFlaw: Error, Equatable, Sendable {
    case open(String)
    case unopenedGroup
    case nothingToRepeat
    case badRepetition
    case badRange
    case unknownEscape(String)
    case notTaken(String)
    case tooLarge(limit: Int)
    case tooDeep(limit: Int)

    package var message: String {
        switch self {
        case .open(let what): "its '\(what)' is not closed."
        case .unopenedGroup: "it closes a group that was not opened. Write \\\\) for the sign."
        case .nothingToRepeat: "there is nothing before a sign of repetition."
        case .badRepetition:
            "a repetition is {2}, {2,} or {2,5}, the smaller number first, up to"
                + " \(RegexParser.mostRepetitions). Write \\\\{ for the sign."
        case .badRange: "a range in brackets goes from the lower letter to the higher one."
        case .unknownEscape(let letter): "there is no '\\\(letter)'."
        case .notTaken(let what):
            "\(what) could take for ever, and is not taken. Say it with AND, OR and NOT."
        case .tooLarge(let limit):
            "it comes to more than \(limit) steps when its repetitions are written out."
        case .tooDeep(let limit): "its groups stand more than \(limit) deep in one another."
        }
    }
}
