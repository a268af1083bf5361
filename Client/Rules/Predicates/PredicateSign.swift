/// The signs of the language, longer ones first where one begins another.
enum PredicateSign: String, CaseIterable, Sendable {
    case equalTwice = "=="
    case equalOrLess = "=<"
    case equalOrGreater = "=>"
    case equal = "="
    case notEqual = "!="
    case not = "!"
    case lessOrGreater = "<>"
    case lessOrEqual = "<="
    case less = "<"
    case greaterOrEqual = ">="
    case greater = ">"
    case and = "&&"
    case bitAnd = "&"
    case or = "||"
    case bitOr = "|"
    case plus = "+"
    case minus = "-"
    case times = "*"
    case over = "/"
    case dot = "."
    case comma = ","
    case open = "("
    case close = ")"
    case openBrace = "{"
    case closeBrace = "}"
    case openBracket = "["
    case closeBracket = "]"

    /// Nil for signs that compare nothing.
    var comparison: PredicateOperator? {
        switch self {
        case .equal, .equalTwice: .equal
        case .notEqual, .lessOrGreater: .notEqual
        case .less: .less
        case .lessOrEqual, .equalOrLess: .lessOrEqual
        case .greater: .greater
        case .greaterOrEqual, .equalOrGreater: .greaterOrEqual
        default: nil
        }
    }

    /// Nil for signs that compute nothing.
    var arithmetic: PredicateArithmetic? {
        switch self {
        case .bitOr: .bitOr
        case .bitAnd: .bitAnd
        case .plus: .add
        case .minus: .subtract
        case .times: .multiply
        case .over: .divide
        default: nil
        }
    }
}
