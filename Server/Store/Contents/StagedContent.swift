import BasketContent

/// A content whose bytes are durable already, or small enough to lie in the database: what a write
/// needs to know of it.
package struct StagedContent: Sendable {
    /// Where the bytes are.
    package enum Body: Sendable {
        case inline([UInt8])
        case chunks([StagedChunk])
    }

    package let hash: ContentHash
    package let size: Int64
    package let body: Body
    /// The blob that was written for it, if any.
    package let blob: StagedBlob?
    /// Who saw that the bytes are those that the hash names.
    package let proof: Proof

    package enum Proof: Sendable {
        /// They went by on their way in.
        case streamed
        /// They were read, out of chunks that had been sent before.
        case read
        /// The domain had a content of that hash when it was asked: worth nothing once that has gone.
        case known
    }

    /// Contents up to this size lie in the database, so that a small file is one commit.
    package static let inlineLimit = 64 << 10

    package init(inline bytes: [UInt8]) {
        hash = ContentHash(of: bytes)
        size = Int64(bytes.count)
        body = .inline(bytes)
        blob = nil
        proof = .streamed
    }

    package init(
        hash: ContentHash, size: Int64, chunks: [StagedChunk], blob: StagedBlob? = nil,
        proof: Proof
    ) {
        self.hash = hash
        self.size = size
        body = .chunks(chunks)
        self.blob = blob
        self.proof = proof
    }
}
