/// A part of a rule that has a value.
indirect enum PredicateExpression: Sendable {
    case constant(PredicateConstant)
    case root
    /// By its place among the variables of the subqueries around.
    case variable(Int)
    case path(PredicateExpression, [PredicateStep])
    case list([PredicateExpression])
    case negated(PredicateExpression)
    case chain(PredicateExpression, [PredicateOperand])
    case subquery(PredicateExpression, PredicateNode)
}
