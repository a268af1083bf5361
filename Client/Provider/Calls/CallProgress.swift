import Foundation
import Synchronization

/// How far a call has come, in bytes where it moves any. Reports may overtake each other on their way here:
/// progress never goes back.
final class CallProgress: @unchecked Sendable {
    // Unchecked: the progress is changed under the lock alone.
    private let progress: Progress
    private let lock = Mutex(())

    init(_ progress: Progress) {
        self.progress = progress
    }

    /// There are so many bytes to move. Nothing to move is one thing to do.
    func expect(_ bytes: Int64) {
        lock.withLock { _ in progress.totalUnitCount = max(1, bytes) }
    }

    func reach(_ bytes: Int64) {
        lock.withLock { _ in
            let reached = min(bytes, progress.totalUnitCount)
            if reached > progress.completedUnitCount { progress.completedUnitCount = reached }
        }
    }

    func finish() {
        lock.withLock { _ in progress.completedUnitCount = progress.totalUnitCount }
    }
}
