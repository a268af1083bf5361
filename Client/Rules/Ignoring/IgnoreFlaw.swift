/// A line of an ignore list that is passed over.
package struct IgnoreFlaw: Equatable, Sendable {
    /// Counts from one.
    package let line: Int
    package let problem: IgnoreProblem
}
