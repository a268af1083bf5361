/// What compares two values.
enum PredicateOperator: Sendable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    case between, isIn
    case contains, beginsWith, endsWith, like, matches
    case conforms, sameType

    /// Whether `[c]` and `[d]` may follow.
    var takesTextOptions: Bool {
        switch self {
        case .between, .conforms, .sameType: false
        default: true
        }
    }
}
