/// Values, from the loosest binding to the tightest.
extension PredicateParser {
    /// What binds more tightly stands behind.
    private static let levels: [[PredicateArithmetic]] = [
        [.bitOr], [.bitAnd], [.add, .subtract], [.multiply, .divide],
    ]

    func asValue(
        _ reading: Reading, from start: PredicateToken
    ) throws(RuleError) -> PredicateExpression {
        guard case .value(let value) = reading else { throw failure(.conditionAsValue, at: start) }
        return value
    }

    mutating func value(level: Int) throws(RuleError) -> Reading {
        guard level < Self.levels.count else { return try signed() }
        let start = current
        let first = try value(level: level + 1)
        guard arithmetic(of: level) != nil else { return first }
        let head = try asValue(first, from: start)
        var rest: [PredicateOperand] = []
        while let operation = arithmetic(of: level) {
            advance()
            let start = current
            let operand = try asValue(try value(level: level + 1), from: start)
            rest.append(PredicateOperand(operation: operation, value: operand))
        }
        return .value(.chain(head, rest))
    }

    private func arithmetic(of level: Int) -> PredicateArithmetic? {
        guard case .sign(let sign) = current.kind, let operation = sign.arithmetic,
            Self.levels[level].contains(operation)
        else { return nil }
        return operation
    }

    private mutating func signed() throws(RuleError) -> Reading {
        guard take(.minus) else { return try primary() }
        try enter()
        defer { depth -= 1 }
        let start = current
        return .value(.negated(try asValue(try signed(), from: start)))
    }

    private mutating func primary() throws(RuleError) -> Reading {
        let token = current
        if take(.open) {
            try enter()
            defer { depth -= 1 }
            let inner = try disjunction()
            if case .value = inner, !current.is(.close), !current.is(.comma) {
                throw failure(.operatorExpected(found: current.description))
            }
            try expect(.close)
            guard case .value(let value) = inner else { return inner }
            return .value(try path(from: value, steps: []))
        }
        if take(.openBrace) { return .value(try list()) }
        switch token.kind {
        case .string(let text):
            advance()
            return .value(try path(from: .constant(.string(text)), steps: []))
        case .number(.integer(let number)):
            advance()
            return .value(.constant(.integer(number)))
        case .number(.real(let number)):
            advance()
            return .value(.constant(.real(number)))
        case .variable(let name):
            guard let place = variables.lastIndex(of: name) else {
                throw failure(.unknownVariable(name))
            }
            advance()
            return .value(try path(from: .variable(place), steps: []))
        case .key(let key):
            advance()
            return .value(try path(from: .root, steps: [.key(key)]))
        case .word(let word): return .value(try named(word))
        default: throw failure(.valueExpected(found: token.description))
        }
    }

    /// Words of the language that are no values.
    private static let reserved: Set<String> = Set(operators.map(\.word)).union([
        "AND", "OR", "NOT", "ANY", "SOME", "ALL", "NONE", "TRUEPREDICATE", "FALSEPREDICATE",
    ])

    private mutating func named(_ word: String) throws(RuleError) -> PredicateExpression {
        let token = current
        let capitals = word.uppercased()
        guard !Self.reserved.contains(capitals) else {
            throw failure(.valueExpected(found: token.description))
        }
        advance()
        if current.is(.open), capitals != "SUBQUERY" {
            throw failure(.notTaken("the function \(token.description)"), at: token)
        }
        switch capitals {
        case "TRUE", "YES": return .constant(.bool(true))
        case "FALSE", "NO": return .constant(.bool(false))
        case "NULL", "NIL": return .constant(.null)
        case "SELF": return try path(from: .root, steps: [])
        case "SUBQUERY": return try path(from: try subquery(), steps: [])
        default: return try path(from: .root, steps: [.key(word)])
        }
    }

    private mutating func list() throws(RuleError) -> PredicateExpression {
        try enter()
        defer { depth -= 1 }
        var parts: [PredicateExpression] = []
        while !current.is(.closeBrace) {
            if !parts.isEmpty { try expect(.comma) }
            let start = current
            parts.append(try asValue(try value(level: 0), from: start))
        }
        advance()
        return try path(from: .list(parts), steps: [])
    }

    private mutating func subquery() throws(RuleError) -> PredicateExpression {
        try enter()
        defer { depth -= 1 }
        try expect(.open)
        let start = current
        let collection = try asValue(try value(level: 0), from: start)
        try expect(.comma)
        guard case .variable(let name) = current.kind else {
            throw failure(.expected("$name", found: current.description))
        }
        advance()
        try expect(.comma)
        variables.append(name)
        let condition = try condition()
        variables.removeLast()
        try expect(.close)
        return .subquery(collection, condition)
    }
}
