import BasketContent

/// One chunk of a staged content, in its order.
package struct StagedChunk: Sendable {
    package let hash: ContentHash
    package let length: Int
    /// Where it was just written; nil when the domain has it already.
    package let place: BlobPlace?

    package init(hash: ContentHash, length: Int, place: BlobPlace? = nil) {
        self.hash = hash
        self.length = length
        self.place = place
    }
}
