/// Something that is still to be looked at, at the provider.
package struct OwedLook: Sendable, Equatable {
    package let node: NodeID
    /// Whether it is a folder that is to be listed, rather than an item that is to be asked for.
    package let isListing: Bool

    package init(node: NodeID, isListing: Bool) {
        self.node = node
        self.isListing = isListing
    }
}
