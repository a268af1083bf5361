/// A node in the journal of what is unsent.
package struct UnsentRow: Sendable {
    package let node: StoredNode
    /// It was offered to the provider, which may have it already.
    package var isOffered = false
    /// Of what the provider was asked to make: the identity of the replica that asked.
    package var identity: [UInt8]?
    /// Somebody had begun to write its file anew.
    package var isBegun = false
}
