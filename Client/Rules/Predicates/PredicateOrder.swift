/// Which of two values comes first.
enum PredicateOrder {
    case ascending, same, descending

    init<Value: Comparable>(_ left: Value, _ right: Value) {
        self = left < right ? .ascending : left == right ? .same : .descending
    }

    var reversed: PredicateOrder {
        switch self {
        case .ascending: .descending
        case .same: .same
        case .descending: .ascending
        }
    }
}
