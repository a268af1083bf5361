import FileProvider
import Foundation

/// A progress that an extension shows on an item. Nobody is told when it ends: it is looked whether it has.
struct RegisteredProgress: Sendable {
    /// Whoever has it may give it up without a word.
    private final class Kept: @unchecked Sendable {
        // Unchecked: set once. Of a progress, only what any thread may ask is asked.
        weak let progress: Progress?

        init(_ progress: Progress) {
            self.progress = progress
        }
    }

    private let kept: Kept
    let size: Int64

    init(_ progress: Progress) {
        kept = Kept(progress)
        size = max(0, progress.totalUnitCount)
    }

    var fraction: Double { kept.progress?.reportedFraction ?? 0 }
    var isComplete: Bool { fraction >= 1 }
    var isOver: Bool { kept.progress.map { $0.isCancelled || isComplete } ?? true }
}
