import BasketContent
import Foundation
import Testing

@Suite("Chunks that follow one another")
struct ChunkRunTests {
    private static let hash = ContentHash(of: [1])

    private static func chunks(_ lengths: [Int]) -> [Manifest.Chunk] {
        lengths.map { Manifest.Chunk(length: $0, hash: hash) }
    }

    @Test("lie where they say, and are read as they are written")
    func valid() throws {
        let run = try ChunkRun(size: 100, start: 20, chunks: Self.chunks([30, 50]))
        #expect(run.bytes == 20..<100)
        let copy = try JSONDecoder().decode(ChunkRun.self, from: JSONEncoder().encode(run))
        #expect(copy == run)
        #expect(try ChunkRun(size: 9, start: 9, chunks: []).bytes.isEmpty)
    }

    @Test(
        "are refused where they do not lie in the content",
        arguments: [
            (-1, 0, []), (10, 0, [0]), (10, 0, [-1]), (10, 0, [11]), (10, 5, [6]), (10, 11, []),
            (10, -1, [1]), (.max, 0, [(4 << 20) + 1]), (.max, .max, [1]), (.max, .min, [1]),
        ] as [(Int64, Int64, [Int])])
    func invalid(size: Int64, start: Int64, lengths: [Int]) {
        #expect(throws: ManifestError.self) {
            try ChunkRun(size: size, start: start, chunks: Self.chunks(lengths))
        }
    }
}
