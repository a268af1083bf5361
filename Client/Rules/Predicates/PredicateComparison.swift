/// Two values and what should hold between them.
struct PredicateComparison: Sendable {
    let quantifier: PredicateQuantifier?
    let left: PredicateExpression
    let operation: PredicateOperator
    let options: TextOptions
    let right: PredicateExpression
    /// Made once, where the rule itself holds the pattern.
    let pattern: PredicatePattern?
}
