import BasketSupport
import FileProviderReplica
import Testing

@Suite("The ranges of a content that are here")
struct ContentRangesTests {
    @Test(
        "are in order, and do not touch",
        arguments: [
            ([], []),
            ([3..<3], []),
            ([4..<6, 0..<2], [0..<2, 4..<6]),
            ([0..<2, 2..<4], [0..<4]),
            ([2..<4, 0..<2], [0..<4]),
            ([0..<2, 4..<6, 2..<4], [0..<6]),
            ([0..<4, 2..<6], [0..<6]),
            ([0..<8, 2..<4], [0..<8]),
            ([2..<4, 6..<8, 0..<10], [0..<10]),
            ([0..<2, 4..<6, 8..<10, 1..<9], [0..<10]),
        ] as [([Range<Int64>], [Range<Int64>])])
    func joined(ranges: [Range<Int64>], expected: [Range<Int64>]) {
        #expect(ContentRanges(ranges).ranges == expected)
        var added = ContentRanges()
        for range in ranges { added.add(range) }
        #expect(added.ranges == expected)
        #expect(added.count == expected.reduce(0) { $0 + Int64($1.count) })
    }

    @Test(
        "tell the first gap",
        arguments: [
            (0..<2, nil), (0..<3, 2..<3), (0..<10, 2..<4), (2..<4, 2..<4), (3..<4, 3..<4),
            (4..<6, nil), (5..<9, 6..<8), (9..<12, 10..<12), (20..<30, 20..<30), (1..<1, nil),
            (3..<3, nil),
        ] as [(Range<Int64>, Range<Int64>?)])
    func gaps(range: Range<Int64>, gap: Range<Int64>?) {
        let ranges = ContentRanges([0..<2, 4..<6, 8..<10])
        #expect(ranges.firstGap(in: range) == gap)
        #expect(ranges.contains(range) == (gap == nil))
    }

    @Test("are those bytes, and no others, that were added", arguments: UInt64(0)..<50)
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var ranges = ContentRanges()
        var bytes: Set<Int64> = []
        for _ in 0..<30 {
            let start = Int64.random(in: 0..<40, using: &random)
            let range = start..<start + Int64.random(in: 0..<8, using: &random)
            if Bool.random(using: &random) {
                ranges.add(range)
                bytes.formUnion(range)
            }
            #expect(ranges.contains(range) == bytes.isSuperset(of: range))
            #expect(ranges.firstGap(in: range)?.lowerBound == range.first { !bytes.contains($0) })
            if let gap = ranges.firstGap(in: range) {
                #expect(bytes.isDisjoint(with: gap))
                #expect(gap.upperBound == range.upperBound || bytes.contains(gap.upperBound))
            }
        }
        #expect(ranges.count == Int64(bytes.count))
        for (left, right) in zip(ranges.ranges, ranges.ranges.dropFirst()) {
            #expect(left.upperBound < right.lowerBound)
        }
    }
}
