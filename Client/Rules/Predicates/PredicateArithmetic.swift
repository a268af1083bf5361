/// What combines two numbers to one.
enum PredicateArithmetic: Sendable {
    case bitOr, bitAnd, add, subtract, multiply, divide
}
