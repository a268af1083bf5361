/// Comparisons. What cannot be compared is neither equal nor before nor behind.
extension PredicateValue {
    /// Lists that stand deeper in one another than this are not the same: nobody makes them by
    /// hand.
    private static let mostDepth = 8

    func isSame(as other: PredicateValue, _ options: TextOptions, depth: Int = 0) -> Bool {
        switch (self, other) {
        case (.null, .null): return true
        case (.data(let left), .data(let right)): return left == right
        case (.list(let left), .list(let right)):
            guard depth < Self.mostDepth, left.count == right.count else { return false }
            return zip(left, right).allSatisfy { $0.isSame(as: $1, options, depth: depth + 1) }
        default: return order(other, options) == .same
        }
    }

    /// Nil for values without an order between them.
    func order(_ other: PredicateValue, _ options: TextOptions) -> PredicateOrder? {
        if let left = number, let right = other.number { return left.order(right) }
        switch (self, other) {
        case (.string(let left), .string(let right)): return Self.order(left, right, options)
        case (.date(let left), .date(let right)): return .init(left, right)
        default: return nil
        }
    }

    private static func order(
        _ left: String, _ right: String, _ options: TextOptions
    ) -> PredicateOrder {
        let (left, right) = (FoldedText(left, options).bytes, FoldedText(right, options).bytes)
        if left == right { return .same }
        return left.lexicographicallyPrecedes(right) ? .ascending : .descending
    }

    /// What a comparison of the value may cost beyond that of a number.
    var weight: Int {
        switch self {
        // Letters beyond ASCII are brought into one form first.
        case .string(let text): text.utf8.count * 4
        case .data(let bytes): bytes.count
        case .list(let values): values.reduce(0) { $0 + 1 + $1.weight }
        default: 0
        }
    }
}
