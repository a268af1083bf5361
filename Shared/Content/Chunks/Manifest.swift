/// What a content consists of: its chunks in their order. Two sides that compare manifests know
/// which bytes need not travel.
///
/// A value of this type keeps the rules below, wherever it came from. Where the chunks end is the
/// sender's choice; only its own chunker's choices find much that is known already.
package struct Manifest: Hashable, Sendable {
    /// A piece of the content.
    package struct Chunk: Hashable, Sendable, Codable {
        /// In bytes.
        package let length: Int
        package let hash: ContentHash

        package init(length: Int, hash: ContentHash) {
            self.length = length
            self.hash = hash
        }
    }

    /// Shorter chunks are refused, unless they are the last: a manifest must not cost more than the
    /// content it describes.
    package static let minimumChunkLength = 64 << 10
    /// Longer ones too: whoever takes part holds a chunk in memory.
    package static let maximumChunkLength = Chunker.maximumLength
    /// 4 TiB of average chunks, whose list takes 160 MiB of memory.
    package static let maximumChunkCount = 4 << 20

    /// In bytes.
    package let size: Int64
    /// Of the whole content.
    package let hash: ContentHash
    package let chunks: [Chunk]

    /// - Parameter maximumChunkCount: how many this caller takes, if fewer than all.
    package init(
        size: Int64, hash: ContentHash, chunks: [Chunk],
        maximumChunkCount: Int = Manifest.maximumChunkCount
    ) throws(ManifestError) {
        guard size >= 0 else { throw .negativeSize(size) }
        guard chunks.count <= maximumChunkCount else {
            throw .tooManyChunks(limit: maximumChunkCount)
        }
        var sum: Int64 = 0  // No overflow: both the count and each length are bounded.
        for (index, chunk) in chunks.enumerated() {
            let shortest = index == chunks.count - 1 ? 1 : Self.minimumChunkLength
            guard chunk.length >= shortest else {
                throw .chunkTooShort(index: index, length: chunk.length, minimum: shortest)
            }
            guard chunk.length <= Self.maximumChunkLength else {
                throw .chunkTooLong(index: index, length: chunk.length)
            }
            sum += Int64(chunk.length)
        }
        guard sum == size else { throw .sizeMismatch(size: size, sum: sum) }
        // What one chunk or none holds is known, so a wrong hash need not wait for the bytes.
        if chunks.count <= 1 {
            guard hash == chunks.first?.hash ?? Self.emptyHash else { throw .hashMismatch }
        }
        self.size = size
        self.hash = hash
        self.chunks = chunks
    }

    private static let emptyHash = ContentHash(of: [])
}

extension Manifest: Codable {
    private enum CodingKeys: CodingKey {
        case size, hash, chunks
    }

    /// Throws a `ManifestError` when the values are readable and break a rule. The count of chunks is
    /// looked at while they are read, so that a long list is refused before it is all here.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        var list = try container.nestedUnkeyedContainer(forKey: .chunks)
        var chunks: [Chunk] = []
        while !list.isAtEnd {
            guard chunks.count < Self.maximumChunkCount else {
                throw ManifestError.tooManyChunks(limit: Self.maximumChunkCount)
            }
            chunks.append(try list.decode(Chunk.self))
        }
        try self.init(
            size: container.decode(Int64.self, forKey: .size),
            hash: container.decode(ContentHash.self, forKey: .hash), chunks: chunks)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(size, forKey: .size)
        try container.encode(hash, forKey: .hash)
        try container.encode(chunks, forKey: .chunks)
    }
}
