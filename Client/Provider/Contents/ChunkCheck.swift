import BasketConnection
import BasketContent

/// Holds bytes against the hashes of the chunks that they are, as they come.
final class ChunkCheck {
    private let run: ChunkRun
    private var hasher = SHA256()
    /// The chunk that is coming, and how much of it has come.
    private var current = 0
    private var come = 0

    init(_ run: ChunkRun) {
        self.run = run
    }

    /// - Parameter bytes: those that follow what was taken before.
    func take(_ bytes: [UInt8]) throws(ConnectionError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard current < run.chunks.count else { throw Self.otherBytes }
            let chunk = run.chunks[current]
            let part = rest.prefix(chunk.length - come)
            hasher.update(part)
            come += part.count
            rest = rest.dropFirst(part.count)
            guard come == chunk.length else { continue }
            guard hasher.finish() == chunk.hash else { throw Self.otherBytes }
            current += 1
            come = 0
        }
    }

    /// Nothing more comes.
    func finish() throws(ConnectionError) {
        guard current == run.chunks.count else { throw Self.otherBytes }
    }

    private static let otherBytes = ConnectionError.badAnswer(
        "the content's bytes are not those that its hash names")
}
