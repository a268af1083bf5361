/// What is done next in a chain of arithmetic, and with what.
struct PredicateOperand: Sendable {
    let operation: PredicateArithmetic
    let value: PredicateExpression
}
