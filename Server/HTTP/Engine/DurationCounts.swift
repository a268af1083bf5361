import BasketSupport
import Synchronization

/// How long requests took: how many were over within each bound, and the sum of all.
final class DurationCounts: Sendable {
    /// The last count is of those that took longer than all bounds.
    private let counts: InlineArray<13, Atomic<Int>> = InlineArray { _ in Atomic(0) }
    private let nanoseconds = Atomic<Int64>(0)

    func count(_ duration: Duration) {
        let bounds = HTTPStatistics.durationBounds
        let index = bounds.firstIndex { duration <= $0 } ?? bounds.count
        counts[index].add(1, ordering: .relaxed)
        nanoseconds.add(duration.wholeNanoseconds, ordering: .relaxed)
    }

    /// By the bounds' order.
    var snapshot: [Int] {
        counts.indices.map { counts[$0].load(ordering: .relaxed) }
    }

    var sum: Duration {
        .nanoseconds(nanoseconds.load(ordering: .relaxed))
    }
}
