import BasketContent

/// The chunks of a part of a content, and which version it is.
package struct ChunksAnswer: Decodable, Sendable {
    package let version: Version
    package let run: ChunkRun

    private enum CodingKeys: CodingKey {
        case version
    }

    package init(from decoder: any Decoder) throws {
        version = try decoder.container(keyedBy: CodingKeys.self).decode(
            Version.self, forKey: .version)
        run = try ChunkRun(from: decoder)
    }
}
