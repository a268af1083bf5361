/// What a node was before it was changed.
package final class FormerNode: Sendable {
    /// Nil where it was nowhere.
    package let node: StoredNode?

    init(_ node: StoredNode?) {
        self.node = node
    }

    /// Of all that were nowhere.
    static let nowhere = FormerNode(nil)
}
