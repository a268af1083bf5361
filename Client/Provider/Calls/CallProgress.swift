import Foundation
import Synchronization

/// How far a call has come, in bytes where it moves any. Reports may overtake each other on their way here:
/// progress never goes back.
final class CallProgress: @unchecked Sendable {
    // Unchecked: the progress is changed under the lock alone.
    private let progress: Progress
    private let lock = Mutex(Way())

    private struct Way {
        var expected: Int64 = 1
        /// How often it was seen to wait, since it last came on.
        var waits = 0
    }

    /// What has not come on for an hour does not wait: something is wrong with it.
    private static let mostWaits = 120

    init(_ progress: Progress) {
        self.progress = progress
    }

    /// There are so many bytes to move. Nothing to move is one thing to do.
    func expect(_ bytes: Int64) {
        lock.withLock { way in
            way = Way(expected: max(1, bytes))
            progress.totalUnitCount = way.expected
        }
    }

    func reach(_ bytes: Int64) {
        lock.withLock { way in
            let reached = min(bytes, way.expected)
            guard reached > progress.completedUnitCount else { return }
            if way.waits > 0 { progress.totalUnitCount = way.expected }
            way.waits = 0
            progress.completedUnitCount = reached
        }
    }

    /// It waits for others, and is seen to by the only thing that can change: each time, there is one thing more to do.
    func waited() {
        lock.withLock { way in
            guard way.waits < Self.mostWaits else { return }
            way.waits += 1
            progress.totalUnitCount = way.expected + Int64(way.waits)
        }
    }

    func finish() {
        lock.withLock { way in
            progress.totalUnitCount = way.expected
            progress.completedUnitCount = way.expected
        }
    }
}
