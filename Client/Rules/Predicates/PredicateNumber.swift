/// A number in a rule: whole for as long as it fits.
enum PredicateNumber: Equatable {
    case integer(Int64)
    case real(Double)

    var real: Double {
        switch self {
        case .integer(let integer): Double(integer)
        case .real(let real): real
        }
    }

    var value: PredicateValue {
        switch self {
        case .integer(let integer): .integer(integer)
        case .real(let real): .real(real)
        }
    }

    /// Nil beside what is no number.
    func order(_ other: PredicateNumber) -> PredicateOrder? {
        switch (self, other) {
        case (.integer(let left), .integer(let right)): .init(left, right)
        case (.integer(let left), .real(let right)): Self.order(left, right)
        case (.real(let left), .integer(let right)): Self.order(right, left)?.reversed
        case (.real(let left), .real(let right)):
            left.isNaN || right.isNaN ? nil : .init(left, right)
        }
    }

    /// Exactly: a whole number may have more digits than a real one holds.
    private static func order(_ integer: Int64, _ real: Double) -> PredicateOrder? {
        if real.isNaN { return nil }
        if real >= 0x1p63 { return .ascending }
        if real < -0x1p63 { return .descending }
        let floor = real.rounded(.down)
        let order = PredicateOrder(integer, Int64(floor))
        return order == .same && floor < real ? .ascending : order
    }

    /// Nil where there is no result: a division of whole numbers by nothing, bits of a fraction.
    func combined(_ operation: PredicateArithmetic, _ other: PredicateNumber) -> PredicateNumber? {
        if case (.integer(let left), .integer(let right)) = (self, other) {
            return Self.combine(left, operation, right)
        }
        return switch operation {
        case .add: .real(real + other.real)
        case .subtract: .real(real - other.real)
        case .multiply: .real(real * other.real)
        case .divide: .real(real / other.real)
        case .bitAnd, .bitOr: nil
        }
    }

    private static func combine(
        _ left: Int64, _ operation: PredicateArithmetic, _ right: Int64
    ) -> PredicateNumber? {
        let (result, overflow): (Int64, Bool)
        switch operation {
        case .bitAnd: return .integer(left & right)
        case .bitOr: return .integer(left | right)
        case .add: (result, overflow) = left.addingReportingOverflow(right)
        case .subtract: (result, overflow) = left.subtractingReportingOverflow(right)
        case .multiply: (result, overflow) = left.multipliedReportingOverflow(by: right)
        case .divide:
            if right == 0 { return nil }
            (result, overflow) = left.dividedReportingOverflow(by: right)
        }
        guard overflow else { return .integer(result) }
        return PredicateNumber.real(Double(left)).combined(operation, .real(Double(right)))
    }
}
