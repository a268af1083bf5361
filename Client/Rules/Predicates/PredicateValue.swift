import BasketSupport

/// What a key of an object holds, as rules see it.
package enum PredicateValue {
    case null
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    case string(String)
    case date(Timestamp)
    case data([UInt8])
    case list([PredicateValue])
    case object(any PredicateObject)

    /// Numbers and truth values are one kind, as in `NSNumber`.
    var number: PredicateNumber? {
        switch self {
        case .bool(let truth): .integer(truth ? 1 : 0)
        case .integer(let integer): .integer(integer)
        case .real(let real): .real(real)
        default: nil
        }
    }
}
