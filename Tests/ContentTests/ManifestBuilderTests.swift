import BasketContent
import BasketSupport
import Testing

@Suite("A manifest builder")
struct ManifestBuilderTests {
    private func build(
        _ bytes: [UInt8], piece: Int = .max, collectingBytes: Bool = true
    ) throws -> (Manifest, [ManifestBuilder.Chunk]) {
        var builder = ManifestBuilder(collectingBytes: collectingBytes)
        var chunks: [ManifestBuilder.Chunk] = []
        var start = 0
        while start < bytes.count {
            let stop = start + min(piece, bytes.count - start)
            chunks += try builder.update(bytes.span.extracting(start..<stop))
            start = stop
        }
        let (manifest, last) = try builder.finish()
        if let last { chunks.append(last) }
        return (manifest, chunks)
    }

    @Test(
        "describes the content, whatever its size and the pieces it comes in",
        arguments: [1, 100, 262_144, 1 << 20, 5_000_000], [1000, 65_536, Int.max])
    func describes(count: Int, piece: Int) throws {
        let bytes = randomBytes(count, seed: 20)

        let (manifest, chunks) = try build(bytes, piece: piece)

        #expect(manifest.size == Int64(count))
        #expect(manifest.hash == ContentHash(of: bytes))
        #expect(chunks.flatMap(\.bytes) == bytes)
        #expect(chunks.map { Manifest.Chunk(length: $0.length, hash: $0.hash) } == manifest.chunks)
        var offset: Int64 = 0
        for chunk in chunks {
            #expect(chunk.offset == offset)
            #expect(chunk.length == chunk.bytes.count)
            #expect(chunk.hash == ContentHash(of: chunk.bytes))
            offset += Int64(chunk.length)
        }
    }

    @Test("hands out no bytes that nobody asked for")
    func withoutBytes() throws {
        let bytes = randomBytes(3 << 20, seed: 21)
        let (manifest, chunks) = try build(bytes, collectingBytes: false)
        #expect(chunks.allSatisfy { $0.bytes.isEmpty })
        #expect(try manifest == build(bytes).0)
    }

    @Test("gives the manifest of nothing for nothing")
    func empty() throws {
        let (manifest, chunks) = try build([])
        #expect(manifest.size == 0)
        #expect(manifest.hash == ContentHash(of: []))
        #expect(manifest.chunks == [])
        #expect(chunks == [])
    }

    @Test("ends with no further chunk when the content ends with one")
    func exactEnd() throws {
        let zeros = [UInt8](repeating: 0, count: Chunker.maximumLength)
        let (manifest, chunks) = try build(zeros)
        #expect(manifest.chunks.count == 1)
        #expect(chunks.count == 1)
        #expect(manifest.hash == ContentHash(of: zeros))
    }

    @Test("stops at the number of chunks it may list", arguments: [2, 3])
    func tooMany(limit: Int) throws {
        let zeros = [UInt8](repeating: 0, count: Chunker.maximumLength)
        var builder = ManifestBuilder(maximumChunkCount: limit)
        for _ in 0..<limit { _ = try builder.update(zeros) }
        // The error is looked at here: a value that cannot be copied does not go into a closure.
        do {
            _ = try builder.update(zeros)
            Issue.record("the chunk after the limit was taken")
        } catch {
            #expect(error == .tooManyChunks(limit: limit))
        }
    }
}
