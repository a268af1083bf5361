/// Which bytes of a content are here: ranges in order that do not touch each other.
package struct ContentRanges: Sendable, Equatable {
    package private(set) var ranges: [Range<Int64>]

    /// - Parameter ranges: in any order; they may overlap.
    package init(_ ranges: [Range<Int64>] = []) {
        self.ranges = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) { add(range) }
    }

    package mutating func add(_ range: Range<Int64>) {
        guard !range.isEmpty else { return }
        let first = ranges.firstIndex { $0.upperBound >= range.lowerBound } ?? ranges.endIndex
        let end =
            ranges[first...].firstIndex { $0.lowerBound > range.upperBound } ?? ranges.endIndex
        var merged = range
        for other in ranges[first..<end] {
            merged =
                min(merged.lowerBound, other.lowerBound)..<max(merged.upperBound, other.upperBound)
        }
        ranges.replaceSubrange(first..<end, with: [merged])
    }

    /// How many bytes they are.
    package var count: Int64 { ranges.reduce(0) { $0 + $1.upperBound - $1.lowerBound } }

    package func contains(_ range: Range<Int64>) -> Bool {
        range.isEmpty
            || ranges.contains {
                $0.lowerBound <= range.lowerBound && range.upperBound <= $0.upperBound
            }
    }

    /// The first part of a range that is not here.
    package func firstGap(in range: Range<Int64>) -> Range<Int64>? {
        var position = range.lowerBound
        for known in ranges where known.upperBound > position {
            if known.lowerBound > position { break }
            position = known.upperBound
        }
        guard position < range.upperBound else { return nil }
        let next = ranges.first { $0.lowerBound > position }?.lowerBound ?? range.upperBound
        return position..<min(next, range.upperBound)
    }
}
