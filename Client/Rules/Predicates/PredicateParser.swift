/// Reads a rule. One grammar for conditions and values, since a parenthesis may open either: what
/// was read is looked at afterwards, and nothing is read twice.
struct PredicateParser {
    /// A rule that people wrote has a few hundred letters.
    static let mostBytes = 16_384
    /// Each costs some frames of the stack, here and whenever the rule is asked.
    static let mostDepth = 40

    private let scalars: [Unicode.Scalar]
    private let tokens: [PredicateToken]
    private var position = 0
    var depth = 0
    /// The variables of the subqueries around.
    var variables: [String] = []

    /// What was read, before it is known what it is for.
    enum Reading {
        case condition(PredicateNode)
        case value(PredicateExpression)
    }

    static func parse(_ text: String) throws(RuleError) -> PredicateNode {
        guard text.utf8.count <= mostBytes else {
            throw RuleError(.tooLong(limit: mostBytes), at: 0, in: [])
        }
        let scalars = Array(text.unicodeScalars)
        var lexer = PredicateLexer(scalars)
        var parser = PredicateParser(scalars, try lexer.tokens())
        guard parser.current.kind != .end else { throw parser.failure(.empty) }
        let node = try parser.condition()
        guard parser.current.kind == .end else {
            throw parser.failure(.connectiveExpected(found: parser.current.description))
        }
        return node
    }

    private init(_ scalars: [Unicode.Scalar], _ tokens: [PredicateToken]) {
        self.scalars = scalars
        self.tokens = tokens
    }

    // MARK: Tokens

    var current: PredicateToken { tokens[position] }

    func failure(_ problem: RuleProblem, at token: PredicateToken? = nil) -> RuleError {
        RuleError(problem, at: (token ?? current).offset, in: scalars)
    }

    /// The last token is the end, and stays.
    mutating func advance() {
        position = min(position + 1, tokens.count - 1)
    }

    mutating func take(_ sign: PredicateSign) -> Bool {
        guard current.is(sign) else { return false }
        advance()
        return true
    }

    mutating func take(_ word: String) -> Bool {
        guard current.is(word) else { return false }
        advance()
        return true
    }

    mutating func expect(_ sign: PredicateSign) throws(RuleError) {
        guard take(sign) else {
            throw failure(.expected(sign.rawValue, found: current.description))
        }
    }

    mutating func enter() throws(RuleError) {
        depth += 1
        guard depth <= Self.mostDepth else { throw failure(.tooDeep(limit: Self.mostDepth)) }
    }

    // MARK: Conditions

    mutating func condition() throws(RuleError) -> PredicateNode {
        let start = current
        let reading = try disjunction()
        return try asCondition(reading, from: start)
    }

    /// Read first, then ask: in one expression, this would look at where the reading began.
    private func asCondition(
        _ reading: Reading, from start: PredicateToken
    ) throws(RuleError) -> PredicateNode {
        switch reading {
        case .condition(let node): return node
        case .value:
            let isClosed =
                current.kind == .end || current.is(.close) || current.is(.comma)
                || current.is(.and) || current.is(.or) || current.is("AND") || current.is("OR")
            throw isClosed
                ? failure(.conditionExpected, at: start)
                : failure(.operatorExpected(found: current.description))
        }
    }

    mutating func disjunction() throws(RuleError) -> Reading {
        let start = current
        let first = try conjunction()
        guard current.is("OR") || current.is(.or) else { return first }
        var parts = [try asCondition(first, from: start)]
        while take("OR") || take(.or) {
            let start = current
            let reading = try conjunction()
            parts.append(try asCondition(reading, from: start))
        }
        return .condition(.some(parts))
    }

    private mutating func conjunction() throws(RuleError) -> Reading {
        let start = current
        let first = try negation()
        guard current.is("AND") || current.is(.and) else { return first }
        var parts = [try asCondition(first, from: start)]
        while take("AND") || take(.and) {
            let start = current
            let reading = try negation()
            parts.append(try asCondition(reading, from: start))
        }
        return .condition(.every(parts))
    }

    private mutating func negation() throws(RuleError) -> Reading {
        guard take("NOT") || take(.not) else { return try comparison() }
        try enter()
        defer { depth -= 1 }
        let start = current
        let reading = try negation()
        return .condition(.not(try asCondition(reading, from: start)))
    }

    private mutating func comparison() throws(RuleError) -> Reading {
        if take("TRUEPREDICATE") { return .condition(.constant(true)) }
        if take("FALSEPREDICATE") { return .condition(.constant(false)) }
        let quantifier = takeQuantifier()
        let start = current
        let reading = try value(level: 0)
        guard case .value(let left) = reading else {
            if quantifier != nil { throw failure(.conditionAsValue, at: start) }
            return reading
        }
        let operatorToken = current
        guard let operation = takeOperator() else {
            if quantifier != nil {
                throw failure(.operatorExpected(found: current.description))
            }
            return reading
        }
        let options = try textOptions(of: operation, operatorToken)
        let rightStart = current
        let right = try asValue(try value(level: 0), from: rightStart)
        if operation == .between, case .list(let bounds) = right, bounds.count != 2 {
            throw failure(.twoBoundsExpected, at: rightStart)
        }
        return .condition(
            .comparison(
                PredicateComparison(
                    quantifier: quantifier, left: left, operation: operation, options: options,
                    right: right, pattern: try pattern(operation, right, options, rightStart))))
    }

    private func pattern(
        _ operation: PredicateOperator, _ right: PredicateExpression, _ options: TextOptions,
        _ start: PredicateToken
    ) throws(RuleError) -> PredicatePattern? {
        guard case .constant(.string(let text)) = right else { return nil }
        do {
            return try PredicatePattern(operation, text, options)
        } catch {
            throw failure(.badPattern(error), at: start)
        }
    }

    private mutating func takeQuantifier() -> PredicateQuantifier? {
        if take("ANY") || take("SOME") { return .any }
        if take("ALL") { return .all }
        if take("NONE") { return PredicateQuantifier.none }
        return nil
    }

    static let operators: [(word: String, operation: PredicateOperator)] = [
        ("BETWEEN", .between), ("IN", .isIn), ("CONTAINS", .contains), ("BEGINSWITH", .beginsWith),
        ("ENDSWITH", .endsWith), ("LIKE", .like), ("MATCHES", .matches),
        ("UTI-CONFORMS-TO", .conforms), ("UTI-EQUALS", .sameType),
    ]

    private mutating func takeOperator() -> PredicateOperator? {
        if case .sign(let sign) = current.kind, let operation = sign.comparison {
            advance()
            return operation
        }
        return Self.operators.first { take($0.word) }?.operation
    }

    private mutating func textOptions(
        of operation: PredicateOperator, _ token: PredicateToken
    ) throws(RuleError) -> TextOptions {
        guard take(.openBracket) else { return [] }
        guard operation.takesTextOptions else { throw failure(.noTextOptions, at: token) }
        guard case .word(let letters) = current.kind else {
            throw failure(.unknownTextOption(""))
        }
        var options: TextOptions = []
        for letter in letters.lowercased().unicodeScalars {
            switch letter {
            case "c": options.insert(.ignoringCase)
            case "d": options.insert(.ignoringMarks)
            default: throw failure(.unknownTextOption(letters))
            }
        }
        advance()
        try expect(.closeBracket)
        return options
    }
}
