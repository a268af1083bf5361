/// How far a set has come. Changes have ranks, in their order.
package struct ItemSetState: Sendable, Equatable {
    /// Of the last change.
    package let rank: Int64
    /// Of the last change that the extension knows to be there.
    package let told: Int64
    /// Changes up to this one cannot be told any more.
    package let forgotten: Int64
    /// More is pending than the set holds.
    package let isFull: Bool
    /// The domain's version at the last refresh.
    package let version: Int64?
}
