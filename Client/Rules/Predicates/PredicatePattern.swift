/// What a text is held against by `LIKE` or `MATCHES`.
enum PredicatePattern: Sendable {
    case like(LikePattern)
    case matches(BoundedRegex)

    /// Nil for operators without a pattern.
    init?(_ operation: PredicateOperator, _ text: String, _ options: TextOptions) throws(RegexFlaw)
    {
        switch operation {
        case .like: self = .like(LikePattern(text, options))
        case .matches: self = .matches(try BoundedRegex(text, options))
        default: return nil
        }
    }

    /// How much a byte of a text may cost.
    var weight: Int {
        switch self {
        case .like(let pattern): pattern.weight
        case .matches(let expression): expression.weight
        }
    }

    func holds(for text: String) -> Bool {
        switch self {
        case .like(let pattern): pattern.matches(text)
        case .matches(let expression): expression.matches(text)
        }
    }
}
