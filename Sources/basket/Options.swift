import BasketSupport

/// Options and arguments that several commands have.
enum Options {
    static let json = CommandOption("json", help: "Say it as JSON, for a script.")

    /// What a shell offers where a domain is to be named.
    static let domainNames = CompletedWord.lines(of: ["domains", "--names"])

    static let domain = CommandArgument(
        "DOMAIN", help: "A domain, or a path in one.", count: .optional, completed: domainNames)

    static let items = CommandArgument("ITEM", help: "Paths, all in one domain.", count: .many)

    static let item = CommandArgument("ITEM", help: "Its path.")

    /// A number that was asked for; nil where it was left out.
    static func number(
        _ option: String, of invocation: Invocation, in range: ClosedRange<Int>
    ) throws -> Int? {
        guard let text = invocation.value(option) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw CommandFailure(
                "bad_\(option)",
                "--\(option) is a number from \(range.lowerBound) to \(range.upperBound).",
                exitCode: .usage)
        }
        return number
    }
}
