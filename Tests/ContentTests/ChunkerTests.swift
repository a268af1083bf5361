import BasketContent
import BasketSupport
import Testing

@Suite("A chunker")
struct ChunkerTests {
    /// Where the chunks of the bytes end, when they come in pieces of these sizes, over and over.
    private func ends(
        of bytes: [UInt8], pieces: [Int] = [.max], isCoarse: Bool = false
    ) -> [Int] {
        var chunker = Chunker(isCoarse: isCoarse)
        var ends: [Int] = []
        var start = 0
        var turn = 0
        while start < bytes.count {
            let stop = start + min(pieces[turn % pieces.count], bytes.count - start)
            turn += 1
            while start < stop {
                guard let end = chunker.nextEnd(in: bytes.span.extracting(start..<stop)) else {
                    break
                }
                start += end
                ends.append(start)
            }
            start = stop
        }
        if chunker.pendingLength > 0 { ends.append(bytes.count) }
        return ends
    }

    private func lengths(_ ends: [Int]) -> [Int] {
        zip(ends, [0] + ends).map { $0 - $1 }
    }

    @Test("cuts the same bytes at the same places for ever")
    func format() {
        let ends = ends(of: randomBytes(16 << 20, seed: 1))
        let text = ends.map(String.init).joined(separator: " ")

        #expect(ends.prefix(3) == [904_934, 2_021_028, 3_779_396])
        #expect(
            ContentHash(of: Array(text.utf8)).hex
                == "d6b0e343d341d2369a6978cb4ec80902006eabfb30a05cbc6e820922deb6fee8")
    }

    @Test(
        "finds the same ends however the bytes come",
        arguments: [[1 << 20], [65_536], [1, 4096, 63, 300_000], [7, 1_000_003]])
    func pieces(sizes: [Int]) {
        let bytes = randomBytes(6 << 20, seed: 2)
        #expect(ends(of: bytes, pieces: sizes) == ends(of: bytes))
    }

    @Test("finds the same ends byte by byte")
    func singleBytes() {
        let bytes = randomBytes(2 << 20, seed: 3)
        #expect(ends(of: bytes, pieces: [1]) == ends(of: bytes))
    }

    @Test("keeps every chunk but the last within the limits", arguments: UInt64(10)..<14)
    func limits(seed: UInt64) {
        let lengths = lengths(ends(of: randomBytes(12 << 20, seed: seed)))
        #expect(lengths.reduce(0, +) == 12 << 20)
        for length in lengths.dropLast() {
            #expect(length >= Chunker.minimumLength)
        }
        for length in lengths {
            #expect(length > 0 && length <= Chunker.maximumLength)
        }
    }

    @Test("makes chunks of about the average length")
    func average() {
        let lengths = lengths(ends(of: randomBytes(64 << 20, seed: 5)))
        let mean = lengths.reduce(0, +) / lengths.count
        #expect(abs(mean - Chunker.averageLength) < Chunker.averageLength / 8)
    }

    @Test("makes a third as many where they are to be long, and finds those again as well")
    func coarse() {
        let old = randomBytes(96 << 20, seed: 8)
        let ends = ends(of: old, isCoarse: true)
        for length in lengths(ends).dropLast() {
            #expect(length >= 3 << 20 && length <= Chunker.maximumLength)
        }
        #expect(ends.prefix(3) == [3_185_089, 6_620_574, 10_278_832])
        #expect(ends.count < 32)
        let newEnds = Set(self.ends(of: [42] + old, isCoarse: true))
        #expect(ends.filter { newEnds.contains($0 + 1) }.count > ends.count / 2)
    }

    @Test("finds nearly everything again after a byte came in at the front")
    func insertion() {
        let old = randomBytes(64 << 20, seed: 6)
        let new = [42] + old

        let oldEnds = ends(of: old)
        let known = Set(zip([0] + oldEnds, oldEnds).map { Range(uncheckedBounds: $0) })
        let newEnds = ends(of: new)
        // All random bytes are different: a chunk is known when the old file had it one byte before.
        let found = zip([0] + newEnds, newEnds).filter { start, end in
            known.contains(start - 1..<end - 1)
        }
        let foundBytes = found.reduce(0) { $0 + $1.1 - $1.0 }

        #expect(foundBytes * 100 > old.count * 95)
    }

    @Test("depends on the content alone: what follows the same end is cut the same")
    func suffix() {
        let bytes = randomBytes(8 << 20, seed: 7)
        let all = ends(of: bytes)
        let first = all[0]
        let rest = ends(of: Array(bytes[first...]))
        #expect(rest.map { $0 + first } == Array(all.dropFirst()))
    }

    @Test("finds an end by the 64 bytes before it, as soon as the minimum allows")
    func window() throws {
        let bytes = randomBytes(32 << 20, seed: 9)
        let ends = ends(of: bytes)
        // An end this early passed the harder of both tests, which is asked right at the minimum.
        let early = try #require(
            zip(ends, lengths(ends)).dropLast().first { $1 <= 832 << 10 }?.0)
        let zeros = [UInt8](repeating: 0, count: Chunker.minimumLength - 64)

        let moved = zeros + bytes[(early - 64)...].prefix(100_000)
        #expect(self.ends(of: moved) == [Chunker.minimumLength, moved.count])
        let tooEarly = zeros.dropLast() + bytes[(early - 64)...].prefix(100_000)
        #expect(self.ends(of: Array(tooEarly)) == [tooEarly.count])
    }

    @Test("cuts bytes that are all the same at the maximum", arguments: [0, 10, 32, 255])
    func monotonous(byte: UInt8) {
        let bytes = [UInt8](repeating: byte, count: 2 * Chunker.maximumLength + 5)
        #expect(lengths(ends(of: bytes)) == [Chunker.maximumLength, Chunker.maximumLength, 5])
    }

    @Test("finds no chunk in nothing")
    func empty() {
        var chunker = Chunker()
        #expect(chunker.nextEnd(in: [UInt8]().span) == nil)
        #expect(chunker.pendingLength == 0)
        #expect(ends(of: []) == [])
    }
}
