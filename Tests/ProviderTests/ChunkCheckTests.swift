import BasketContent
import Testing

@testable import BasketConnection
@testable import BasketProvider

@Suite("What comes of a run of chunks")
struct ChunkCheckTests {
    private let chunks = [[UInt8](1...7), [8], [UInt8](9...20)]

    private func check() throws -> ChunkCheck {
        ChunkCheck(
            try ChunkRun(
                size: 100, start: 50,
                chunks: chunks.map {
                    Manifest.Chunk(length: $0.count, hash: ContentHash(of: $0))
                }))
    }

    @Test("is taken in pieces of any length", arguments: 1...21)
    func anyLength(_ length: Int) throws {
        let all = [UInt8](1...20)
        let check = try check()
        for start in stride(from: 0, to: all.count, by: length) {
            try check.take([UInt8](all[start..<min(start + length, all.count)]))
        }
        try check.finish()
    }

    @Test("is refused with the chunk in which a byte is another one", arguments: 0..<20)
    func anotherByte(_ place: Int) throws {
        var all = [UInt8](1...20)
        all[place] ^= 1
        let check = try check()
        #expect(throws: ConnectionError.self) { try check.take(all) }
    }

    @Test("is refused when it is less, or more", arguments: [0, 7, 19, 21])
    func anotherLength(_ length: UInt8) throws {
        let check = try check()
        #expect(throws: ConnectionError.self) {
            if length > 0 { try check.take([UInt8](1...length)) }
            try check.finish()
        }
    }
}
