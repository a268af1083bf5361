/// A word, sign or value of a rule, and where it stands.
struct PredicateToken: Equatable {
    enum Kind: Equatable {
        /// A key, or a word of the language.
        case word(String)
        /// A key even if it is a word of the language: `#size`.
        case key(String)
        /// `@count`, without the sign.
        case aggregate(String)
        case variable(String)
        case string(String)
        case number(PredicateNumber)
        case sign(PredicateSign)
        case end
    }

    let kind: Kind
    /// The place of its first scalar.
    let offset: Int

    /// As it is named to people.
    var description: String {
        switch kind {
        case .word(let text): "'\(text.prefix(40))'"
        case .key(let text): "'#\(text.prefix(40))'"
        case .aggregate(let text): "'@\(text.prefix(40))'"
        case .variable(let text): "'$\(text.prefix(40))'"
        case .string: "a text"
        case .number: "a number"
        case .sign(let sign): "'\(sign.rawValue)'"
        case .end: "the end"
        }
    }

    /// Whether it is that word of the language, in capitals or not.
    func `is`(_ word: String) -> Bool {
        guard case .word(let text) = kind else { return false }
        return text.utf8.count == word.utf8.count && text.uppercased() == word
    }

    func `is`(_ sign: PredicateSign) -> Bool {
        kind == .sign(sign)
    }
}
