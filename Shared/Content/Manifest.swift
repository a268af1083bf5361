package struct Manifest: Sendable {
    package struct Chunk: Sendable {
        package let length: Int
        package let hash: ContentHash
        package init(length: Int, hash: ContentHash) {
            self.length = length
            self.hash = hash
        }
    }
    package init(size: Int64, hash: ContentHash, chunks: [Chunk]) throws {}
}
