/// A value that stands in the rule itself.
enum PredicateConstant: Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    case string(String)

    var value: PredicateValue {
        switch self {
        case .null: .null
        case .bool(let truth): .bool(truth)
        case .integer(let integer): .integer(integer)
        case .real(let real): .real(real)
        case .string(let string): .string(string)
        }
    }
}
