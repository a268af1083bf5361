/// One step from a value to another.
enum PredicateStep: Equatable, Sendable {
    case key(String)
    case index(Int)
    case first, last, count
    /// Over a list, of what the keys lead to from each element.
    case aggregate(PredicateAggregate, [String])
}
