import BasketContent

/// `POST …/chunks/missing`.
package struct MissingChunksRequest: Codable, Sendable {
    package var hashes: [ContentHash]

    package init(hashes: [ContentHash]) {
        self.hashes = hashes
    }
}
