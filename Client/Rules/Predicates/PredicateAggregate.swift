/// One value for a whole list.
enum PredicateAggregate: String, Sendable {
    case sum, avg, min, max

    /// Of the numbers, or of whatever can be ordered; what is none of them does not count.
    func value(of values: [PredicateValue]) -> PredicateValue {
        switch self {
        case .sum: Self.sum(values.compactMap(\.number)).value
        case .avg:
            Self.average(values.compactMap(\.number))
        case .min: Self.extreme(of: values, .ascending)
        case .max: Self.extreme(of: values, .descending)
        }
    }

    private static func sum(_ numbers: [PredicateNumber]) -> PredicateNumber {
        numbers.reduce(.integer(0)) { $0.combined(.add, $1) ?? $0 }
    }

    private static func average(_ numbers: [PredicateNumber]) -> PredicateValue {
        numbers.isEmpty ? .null : .real(sum(numbers).real / Double(numbers.count))
    }

    private static func extreme(
        of values: [PredicateValue], _ wanted: PredicateOrder
    ) -> PredicateValue {
        var best = PredicateValue.null
        for value in values {
            if case .null = best {
                best = value
            } else if value.order(best, []) == wanted {
                best = value
            }
        }
        return best
    }
}
