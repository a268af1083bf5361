/// Makes a content's manifest while its bytes come by.
package struct ManifestBuilder: ~Copyable, Sendable {
    /// A chunk whose end was reached.
    package struct Chunk: Equatable, Sendable {
        /// Where in the content it starts.
        package let offset: Int64
        package let length: Int
        package let hash: ContentHash
        /// Its content, if the builder was asked to collect it; empty otherwise.
        package let bytes: [UInt8]
    }

    /// Small enough to stay in the processor's cache while three passes go over it.
    private static let blockLength = 64 << 10

    private let collectsBytes: Bool
    private let hashesWhole: Bool
    private let maximumChunkCount: Int
    private var chunker: Chunker
    private var chunkHasher = SHA256()
    /// Starts with the second chunk, from where the first one's hasher stands: the first chunk, which
    /// for most contents is the only one, is hashed once.
    private var contentHasher: SHA256?
    private var collected: [UInt8] = []
    private var size: Int64 = 0
    private var chunks: [Manifest.Chunk] = []

    /// - Parameter collectingBytes: whether chunks come with their bytes. That copies them once; who
    ///   only passes the pieces on has no need for it.
    ///   - hashesWhole: whether it makes the content's hash, too; else whoever does gives it to `finish`.
    ///   - isCoarse: whether it makes as few chunks as there may be.
    package init(
        collectingBytes: Bool = false, hashesWhole: Bool = true, isCoarse: Bool = false,
        maximumChunkCount: Int = Manifest.maximumChunkCount
    ) {
        chunker = Chunker(isCoarse: isCoarse)
        self.collectsBytes = collectingBytes
        self.hashesWhole = hashesWhole
        self.maximumChunkCount = maximumChunkCount
    }

    /// Takes the next bytes of the content, and gives the chunks that end among them.
    package mutating func update(_ bytes: Span<UInt8>) throws(ManifestError) -> [Chunk] {
        var completed: [Chunk] = []
        var next = 0
        while next < bytes.count {
            let block = bytes.extracting(next..<min(next + Self.blockLength, bytes.count))
            if let end = chunker.nextEnd(in: block) {
                take(block.extracting(first: end))
                completed.append(try completeChunk())
                next += end
            } else {
                take(block)
                next += block.count
            }
        }
        return completed
    }

    package mutating func update(_ bytes: borrowing [UInt8]) throws(ManifestError) -> [Chunk] {
        try update(bytes.span)
    }

    /// The manifest, and the chunk that only the end of the content ended, if there is one. Nothing
    /// can be added afterwards.
    /// - Parameter whole: the content's hash, where the builder does not make it.
    package consuming func finish(
        whole: ContentHash? = nil
    ) throws(ManifestError) -> (manifest: Manifest, last: Chunk?) {
        let last = chunker.pendingLength > 0 ? try completeChunk() : nil
        let hash = whole ?? contentHasher?.finish() ?? chunkHasher.finish()
        let manifest = try Manifest(
            size: size, hash: hash, chunks: chunks, maximumChunkCount: maximumChunkCount)
        return (manifest, last)
    }

    private mutating func take(_ bytes: Span<UInt8>) {
        chunkHasher.update(bytes)
        contentHasher?.update(bytes)
        size += Int64(bytes.count)
        pendingLength += bytes.count
        if collectsBytes { bytes.withUnsafeBufferPointer { collected.append(contentsOf: $0) } }
    }

    private var pendingLength = 0

    private mutating func completeChunk() throws(ManifestError) -> Chunk {
        guard chunks.count < maximumChunkCount else {
            throw .tooManyChunks(limit: maximumChunkCount)
        }
        if hashesWhole, contentHasher == nil { contentHasher = SHA256(continuing: chunkHasher) }
        let hash = chunkHasher.finish()
        let chunk = Chunk(
            offset: size - Int64(pendingLength), length: pendingLength, hash: hash,
            bytes: collected)
        chunks.append(Manifest.Chunk(length: pendingLength, hash: hash))
        pendingLength = 0
        collected = []
        return chunk
    }
}
