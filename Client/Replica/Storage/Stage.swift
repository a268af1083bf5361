/// How much is known of the provider's tree.
package enum Stage: Int, Sendable {
    /// Nothing has been told yet.
    case empty = 0
    /// Everything is being told, for the first time or again.
    case filling = 1
    /// Everything was told again, and what was not among it is asked for, one by one: that it was not told
    /// does not mean that it is gone.
    case verifying = 2
    /// From here on, changes tell the rest.
    case following = 3
}
