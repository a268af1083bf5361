import FileProviderReplica
import Synchronization

/// Which parts of contents are on their way here, so that none is fetched twice.
final class Flights<Content: Hashable & Sendable>: Sendable {
    private let ranges = Mutex<[Content: [Range<Int64>]]>([:])

    /// Takes off with as much of a range as nobody else is fetching.
    /// - Parameter fromItsStart: whether somebody waits for its first bytes, and for no others.
    /// - Returns: nil when all of it is on its way, or what is waited for.
    func begin(
        _ id: Content, _ range: Range<Int64>, fromItsStart: Bool = false
    ) -> Range<Int64>? {
        ranges.withLock { ranges in
            guard let gap = ContentRanges(ranges[id] ?? []).firstGap(in: range),
                !fromItsStart || gap.lowerBound == range.lowerBound
            else { return nil }
            ranges[id, default: []].append(gap)
            return gap
        }
    }

    func end(_ id: Content, _ range: Range<Int64>) {
        ranges.withLock { ranges in
            if let index = ranges[id]?.firstIndex(of: range) { ranges[id]?.remove(at: index) }
            if ranges[id]?.isEmpty == true { ranges[id] = nil }
        }
    }
}
