import BasketSupport

/// A content that is here.
package struct ContentHere: Sendable, Equatable {
    package let node: NodeID
    package let bytes: Int64
    /// When somebody last had it open; nil for never.
    package let opened: Timestamp?
}
