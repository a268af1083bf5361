import BasketSupport

/// A content that is here.
package struct ContentHere: Sendable, Equatable {
    package let node: NodeID
    package let bytes: Int64
    /// When somebody last had it open; nil for never.
    package let opened: Timestamp?

    package init(node: NodeID, bytes: Int64, opened: Timestamp?) {
        self.node = node
        self.bytes = bytes
        self.opened = opened
    }
}
