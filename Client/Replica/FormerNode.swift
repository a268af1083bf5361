/// What a node was before it was changed.
package final class FormerNode: Sendable {
    package let node: StoredNode

    init(_ node: StoredNode) {
        self.node = node
    }
}
