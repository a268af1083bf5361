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

    /// Contents up to this size lie in the database, so that a small file is one commit.
    package static let inlineLimit = 64 << 10

    package init(inline bytes: [UInt8]) {
        hash = ContentHash(of: bytes)
        size = Int64(bytes.count)
        body = .inline(bytes)
    }

    package init(hash: ContentHash, size: Int64, chunks: [StagedChunk]) {
        self.hash = hash
        self.size = size
        body = .chunks(chunks)
    }
}

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

extension Int64 {
    /// Two sizes together, or the largest there is.
    func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}

/// A place on the disk: a blob, by its number, and where in it.
package struct BlobPlace: Hashable, Sendable {
    package let blob: Int64
    package let position: Int64

    package init(blob: Int64, position: Int64) {
        self.blob = blob
        self.position = position
    }
}
