/// Chunks that follow one another in a content: those in which a part of it lies.
///
/// A value of this type lies in a content of its size, wherever it came from.
package struct ChunkRun: Hashable, Sendable {
    /// Of the whole content, in bytes.
    package let size: Int64
    /// Where the first chunk begins in the content.
    package let start: Int64
    package let chunks: [Manifest.Chunk]

    package init(size: Int64, start: Int64, chunks: [Manifest.Chunk]) throws(ManifestError) {
        guard size >= 0 else { throw .negativeSize(size) }
        guard chunks.count <= Manifest.maximumChunkCount else {
            throw .tooManyChunks(limit: Manifest.maximumChunkCount)
        }
        var sum: Int64 = 0  // No overflow: both the count and each length are bounded.
        for (index, chunk) in chunks.enumerated() {
            guard chunk.length >= 1 else {
                throw .chunkTooShort(index: index, length: chunk.length, minimum: 1)
            }
            guard chunk.length <= Manifest.maximumChunkLength else {
                throw .chunkTooLong(index: index, length: chunk.length)
            }
            sum += Int64(chunk.length)
        }
        guard (0...size).contains(start), sum <= size - start else {
            throw .sizeMismatch(size: size, sum: sum)
        }
        self.size = size
        self.start = start
        self.chunks = chunks
    }

    /// Where its bytes lie in the content.
    package var bytes: Range<Int64> {
        start..<start + chunks.reduce(0) { $0 + Int64($1.length) }
    }
}

extension ChunkRun: Codable {
    private enum CodingKeys: CodingKey {
        case size, start, chunks
    }

    /// Throws a `ManifestError` when the values are readable and make no sense.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            size: container.decode(Int64.self, forKey: .size),
            start: container.decode(Int64.self, forKey: .start),
            chunks: container.decode([Manifest.Chunk].self, forKey: .chunks))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(size, forKey: .size)
        try container.encode(start, forKey: .start)
        try container.encode(chunks, forKey: .chunks)
    }
}
