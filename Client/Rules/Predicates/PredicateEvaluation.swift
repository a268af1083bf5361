/// One run of a rule.
struct PredicateEvaluation {
    /// A rule that looks at everything for everything would take for ever; this is a tenth of a
    /// second, or one of text beyond ASCII. Ten thousand items with a dozen comparisons each stay
    /// below.
    static let mostSteps = 20_000_000
    /// What looking at a part of the rule costs, beside comparing two letters.
    private static let partCost = 10

    /// Thrown when it took too many.
    struct TooManySteps: Error {}

    private let root: any PredicateObject
    private var bound: [PredicateValue] = []
    private var stepsLeft = Self.mostSteps

    init(root: any PredicateObject) {
        self.root = root
    }

    private mutating func spend(_ steps: Int) throws(TooManySteps) {
        stepsLeft -= min(steps, stepsLeft + 1)
        if stepsLeft < 0 { throw TooManySteps() }
    }

    mutating func holds(_ node: PredicateNode) throws(TooManySteps) -> Bool {
        try spend(Self.partCost)
        switch node {
        case .constant(let truth): return truth
        case .not(let inner): return try !holds(inner)
        case .every(let parts):
            for part in parts { if try !holds(part) { return false } }
            return true
        case .some(let parts):
            for part in parts { if try holds(part) { return true } }
            return false
        case .comparison(let comparison): return try holds(comparison)
        }
    }

    private mutating func holds(_ comparison: PredicateComparison) throws(TooManySteps) -> Bool {
        let left = try value(of: comparison.left)
        let right = try value(of: comparison.right)
        guard let quantifier = comparison.quantifier else {
            return try holds(left, comparison, right)
        }
        let elements: [PredicateValue]
        switch left {
        case .list(let list): elements = list
        case .null: elements = []
        default: return quantifier == .none
        }
        for element in elements where try holds(element, comparison, right) != (quantifier == .all)
        {
            return quantifier == .any
        }
        return quantifier != .any
    }

    private mutating func holds(
        _ left: PredicateValue, _ comparison: PredicateComparison, _ right: PredicateValue
    ) throws(TooManySteps) -> Bool {
        let options = comparison.options
        try spend(1 + left.weight + right.weight)
        switch comparison.operation {
        case .equal: return left.isSame(as: right, options)
        case .notEqual: return !left.isSame(as: right, options)
        case .less: return left.order(right, options) == .ascending
        case .greater: return left.order(right, options) == .descending
        case .lessOrEqual: return left.order(right, options).map { $0 != .descending } ?? false
        case .greaterOrEqual: return left.order(right, options).map { $0 != .ascending } ?? false
        case .between: return Self.is(left, between: right)
        case .isIn: return try Self.contains(right, left, options, spending: &self)
        case .contains: return try Self.contains(left, right, options, spending: &self)
        case .beginsWith, .endsWith, .like, .matches, .conforms, .sameType:
            guard case .string(let left) = left, case .string(let right) = right else {
                return false
            }
            return try holds(left, comparison, right)
        }
    }

    private mutating func holds(
        _ left: String, _ comparison: PredicateComparison, _ right: String
    ) throws(TooManySteps) -> Bool {
        let options = comparison.options
        switch comparison.operation {
        case .beginsWith: return FoldedText(left, options).begins(with: .init(right, options))
        case .endsWith: return FoldedText(left, options).ends(with: .init(right, options))
        case .conforms: return root.type(left, conformsTo: right)
        case .sameType: return left.lowercased() == right.lowercased()
        default:
            let pattern: PredicatePattern?
            if let made = comparison.pattern {
                pattern = made
            } else {
                try spend(right.utf8.count * 100)
                // A pattern that comes from an item can be wrong, and then nothing matches it.
                pattern = try? PredicatePattern(comparison.operation, right, options)
            }
            guard let pattern else { return false }
            try spend(left.utf8.count * pattern.weight)
            return pattern.holds(for: left)
        }
    }

    private static func `is`(_ value: PredicateValue, between bounds: PredicateValue) -> Bool {
        guard case .list(let bounds) = bounds, bounds.count == 2,
            let low = bounds[0].order(value, []), let high = value.order(bounds[1], [])
        else { return false }
        return low != .descending && high != .descending
    }

    /// A list and one of its elements, or a text and a part of it.
    private static func contains(
        _ whole: PredicateValue, _ part: PredicateValue, _ options: TextOptions,
        spending run: inout PredicateEvaluation
    ) throws(TooManySteps) -> Bool {
        switch (whole, part) {
        case (.string(let whole), .string(let part)):
            return FoldedText(whole, options).contains(FoldedText(part, options))
        case (.list(let elements), _):
            try run.spend(elements.count * (1 + part.weight))
            return elements.contains { $0.isSame(as: part, options) }
        default: return false
        }
    }

    private mutating func value(
        of expression: PredicateExpression
    ) throws(TooManySteps) -> PredicateValue {
        try spend(Self.partCost)
        switch expression {
        case .constant(let constant): return constant.value
        case .root: return .object(root)
        case .variable(let place): return bound[place]
        case .path(let start, let steps):
            var value = try value(of: start)
            for step in steps { value = try follow(step, from: value) }
            return value
        case .list(let parts):
            var values: [PredicateValue] = []
            for part in parts { values.append(try value(of: part)) }
            return .list(values)
        case .negated(let inner):
            let zero = PredicateNumber.integer(0)
            return try value(of: inner).number.flatMap { zero.combined(.subtract, $0) }?.value
                ?? .null
        case .chain(let first, let rest):
            var result = try value(of: first).number
            for operand in rest {
                let next = try value(of: operand.value).number
                result = result.flatMap { left in
                    next.flatMap { left.combined(operand.operation, $0) }
                }
            }
            return result?.value ?? .null
        case .subquery(let collection, let condition):
            guard case .list(let elements) = try value(of: collection) else { return .list([]) }
            return .list(try select(elements, condition))
        }
    }

    private mutating func select(
        _ elements: [PredicateValue], _ condition: PredicateNode
    ) throws(TooManySteps) -> [PredicateValue] {
        var selected: [PredicateValue] = []
        for element in elements {
            bound.append(element)
            if try holds(condition) { selected.append(element) }
            bound.removeLast()
        }
        return selected
    }

    private mutating func follow(
        _ step: PredicateStep, from value: PredicateValue
    ) throws(TooManySteps) -> PredicateValue {
        try spend(Self.partCost)
        if case .key(let key) = step { return try self.value(for: key, in: value) }
        guard case .list(let elements) = value else { return .null }
        switch step {
        case .key: return .null
        case .index(let index): return index < elements.count ? elements[index] : .null
        case .first: return elements.first ?? .null
        case .last: return elements.last ?? .null
        case .count: return .integer(Int64(elements.count))
        case .aggregate(let aggregate, let keys):
            var values = value
            for key in keys { values = try self.value(for: key, in: values) }
            guard case .list(let reached) = values else { return .null }
            try spend(values.weight)
            return aggregate.value(of: reached)
        }
    }

    /// Of a list, the key's values in all elements.
    private mutating func value(
        for key: String, in value: PredicateValue, depth: Int = 0
    ) throws(TooManySteps) -> PredicateValue {
        switch value {
        case .object(let object): return object.value(for: key) ?? .null
        case .list(let elements) where depth < Self.mostDepth:
            try spend(elements.count * Self.partCost)
            var values: [PredicateValue] = []
            for element in elements {
                values.append(try self.value(for: key, in: element, depth: depth + 1))
            }
            return .list(values)
        default: return .null
        }
    }

    /// Lists in lists that a key is looked for in.
    private static let mostDepth = 8
}
