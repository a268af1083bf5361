import BasketContent
import BasketSupport
import Foundation
import Testing

@Suite("A manifest")
struct ManifestTests {
    private static let one = ContentHash(of: [1])
    private static let two = ContentHash(of: [2])
    private static let none = ContentHash(of: [])

    @Test("takes chunks down to 64 KiB, a shorter last one, and none for an empty content")
    func valid() throws {
        let least = Manifest.minimumChunkLength
        let most = Manifest.maximumChunkLength
        let manifest = try Manifest(
            size: Int64(least + most + 1), hash: Self.one,
            chunks: [
                Manifest.Chunk(length: least, hash: Self.one),
                Manifest.Chunk(length: most, hash: Self.two),
                Manifest.Chunk(length: 1, hash: Self.one),
            ])
        #expect(manifest.chunks.count == 3)
        #expect(throws: Never.self) { try Manifest(size: 0, hash: Self.none, chunks: []) }
    }

    @Test(
        "is refused with the rule it breaks",
        arguments: [
            (-1, one, [], .negativeSize(-1)),
            (0, one, [0], .chunkTooShort(index: 0, length: 0, minimum: 1)),
            (0, one, [-5], .chunkTooShort(index: 0, length: -5, minimum: 1)),
            (
                100_065_535, one, [65_535, 100_000],
                .chunkTooShort(index: 0, length: 65_535, minimum: 65_536)
            ),
            (
                (4 << 20) + 1, one, [(4 << 20) + 1],
                .chunkTooLong(index: 0, length: (4 << 20) + 1)
            ),
            (0, one, [.max, .max], .chunkTooLong(index: 0, length: .max)),
            (5, one, [4], .sizeMismatch(size: 5, sum: 4)),
            (Int64.max, one, [4], .sizeMismatch(size: Int64.max, sum: 4)),
            (5, none, [], .sizeMismatch(size: 5, sum: 0)),
            (0, one, [], .hashMismatch),
            (4, two, [4], .hashMismatch),
            (400_000, one, [100_000, 100_000, 100_000, 100_000], .tooManyChunks(limit: 3)),
        ] as [(Int64, ContentHash, [Int], ManifestError)])
    func refused(size: Int64, hash: ContentHash, lengths: [Int], error: ManifestError) {
        #expect(throws: error) {
            try Manifest(
                size: size, hash: hash,
                chunks: lengths.map { Manifest.Chunk(length: $0, hash: Self.one) },
                maximumChunkCount: 3)
        }
        #expect(error.code.hasPrefix("manifest_"))
        #expect(error.message.hasSuffix("."))
    }

    @Test("is JSON that names its size, its hash and its chunks")
    func json() throws {
        let manifest = try Manifest(
            size: 65_537, hash: Self.none,
            chunks: [
                Manifest.Chunk(length: 65_536, hash: Self.one),
                Manifest.Chunk(length: 1, hash: Self.two),
            ])
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]

        let data = try encoder.encode(manifest)

        let chunks = """
            [{"hash":"\(Self.one)","length":65536},{"hash":"\(Self.two)","length":1}]
            """
        #expect(
            String(decoding: data, as: UTF8.self)
                == "{\"chunks\":\(chunks),\"hash\":\"\(Self.none)\",\"size\":65537}")
        #expect(try JSONDecoder().decode(Manifest.self, from: data) == manifest)
    }

    @Test(
        "is not read from JSON that is no manifest",
        arguments: [
            "{}", "[]", "{\"size\":0,\"hash\":\"\(none)\"}",
            "{\"size\":0.5,\"hash\":\"\(none)\",\"chunks\":[]}",
            "{\"size\":99999999999999999999,\"hash\":\"\(none)\",\"chunks\":[]}",
            "{\"size\":0,\"hash\":\"\",\"chunks\":[]}",
            "{\"size\":0,\"hash\":\"\(none)\",\"chunks\":{}}",
            "{\"size\":0,\"hash\":\"\(none)\",\"chunks\":[null]}",
            "{\"size\":1,\"hash\":\"\(one)\",\"chunks\":[{\"length\":\"1\",\"hash\":\"\(one)\"}]}",
        ])
    func brokenJSON(text: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Manifest.self, from: Data(text.utf8))
        }
    }

    @Test("is not read from JSON that breaks a rule")
    func lyingJSON() {
        let text = "{\"size\":1,\"hash\":\"\(Self.none)\",\"chunks\":[]}"
        #expect(throws: ManifestError.sizeMismatch(size: 1, sum: 0)) {
            try JSONDecoder().decode(Manifest.self, from: Data(text.utf8))
        }
    }

    @Test("keeps the rules whatever it is made from", arguments: UInt64(0)..<200)
    func property(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let lengths = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
            [1, 65_536, 4 << 20, -1, .max, Int(truncatingIfNeeded: generator.next())]
                .randomElement(using: &generator) ?? 0
        }
        let sum = lengths.reduce(0) { $0 &+ $1 }
        let manifest = try? Manifest(
            size: Int64(sum), hash: lengths.isEmpty ? Self.none : Self.one,
            chunks: lengths.map { Manifest.Chunk(length: $0, hash: Self.one) })
        let isValid =
            lengths.allSatisfy { 1...(4 << 20) ~= $0 }
            && lengths.dropLast().allSatisfy { $0 >= 65_536 }
        #expect((manifest != nil) == isValid)
    }
}
