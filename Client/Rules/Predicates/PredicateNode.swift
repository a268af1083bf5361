/// A rule, taken apart: what is true or false. Chains of AND and OR lie flat, so that a long rule
/// makes no deep tree.
indirect enum PredicateNode: Sendable {
    case constant(Bool)
    case not(PredicateNode)
    case every([PredicateNode])
    case some([PredicateNode])
    case comparison(PredicateComparison)
}
