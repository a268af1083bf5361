/// What leads from one value to another: keys, aggregates, places in a list.
extension PredicateParser {
    mutating func path(
        from start: PredicateExpression, steps: [PredicateStep]
    ) throws(RuleError) -> PredicateExpression {
        var steps = steps
        while true {
            if take(.dot) {
                if let step = try aggregate() {
                    steps.append(step)
                } else {
                    steps.append(.key(try key()))
                }
            } else if take(.openBracket) {
                steps.append(try index())
                try expect(.closeBracket)
            } else {
                return steps.isEmpty ? start : .path(start, steps)
            }
        }
    }

    private mutating func key() throws(RuleError) -> String {
        switch current.kind {
        // Behind a dot nothing but a key can stand, whatever it means elsewhere.
        case .word(let name), .key(let name), .string(let name):
            advance()
            return name
        default: throw failure(.badKey)
        }
    }

    /// `@count`, or `@sum.size`, to which all keys behind belong. Nil for a plain key.
    private mutating func aggregate() throws(RuleError) -> PredicateStep? {
        guard case .aggregate(let name) = current.kind else { return nil }
        if name == "count" {
            advance()
            return .count
        }
        guard let aggregate = PredicateAggregate(rawValue: name) else {
            throw failure(.notTaken(current.description))
        }
        advance()
        guard current.is(.dot) else { throw failure(.expected(".", found: current.description)) }
        var keys: [String] = []
        while take(.dot) { keys.append(try key()) }
        return .aggregate(aggregate, keys)
    }

    private mutating func index() throws(RuleError) -> PredicateStep {
        let token = current
        if take("FIRST") { return .first }
        if take("LAST") { return .last }
        if take("SIZE") { return .count }
        guard case .number(.integer(let number)) = token.kind, let index = Int(exactly: number)
        else { throw failure(.expected("FIRST, LAST, SIZE or a number", found: token.description)) }
        advance()
        return .index(index)
    }
}
