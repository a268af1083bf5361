import FileProviderReplica
import Synchronization

/// Which parts of contents are on their way here, so that none is fetched twice.
final class Flights<Content: Hashable & Sendable>: Sendable {
    private let ranges = Mutex<[Content: [Range<Int64>]]>([:])

    /// Takes off with as much of a range as nobody else is fetching.
    /// - Returns: nil when all of it is on its way.
    func begin(_ id: Content, _ range: Range<Int64>) -> Range<Int64>? {
        ranges.withLock { ranges in
            let gap = ContentRanges(ranges[id] ?? []).firstGap(in: range)
            if let gap { ranges[id, default: []].append(gap) }
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
