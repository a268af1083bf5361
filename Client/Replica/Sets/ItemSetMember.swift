import FileProvider

/// An item that is in a set, or has gone from it.
package struct ItemSetMember: Sendable {
    package let identifier: NSFileProviderItemIdentifier
    /// Nil when it is not in the set any more.
    package let node: StoredNode?
    /// Where the next ones begin.
    package let position: Int64
}
