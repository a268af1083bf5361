/// What a comparison of texts overlooks: `[c]`, `[d]`, `[cd]` behind an operator.
struct TextOptions: OptionSet, Sendable {
    let rawValue: UInt8

    static let ignoringCase = TextOptions(rawValue: 1)
    static let ignoringMarks = TextOptions(rawValue: 2)
}
