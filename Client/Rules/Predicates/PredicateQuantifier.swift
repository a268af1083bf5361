/// How many of a collection's elements must fulfil a comparison.
enum PredicateQuantifier: Sendable {
    case any, all, none
}
