/// A regular expression, taken apart.
indirect enum RegexNode: Sendable {
    case scalar(Unicode.Scalar)
    case notNewline
    case set(ScalarSet)
    case start, end
    case sequence([RegexNode])
    case choice([RegexNode])
    /// - Parameter most: nil for no limit.
    case repeated(RegexNode, least: Int, most: Int?)
}
