import FileProvider
import Foundation

/// Shows the totals of one direction as a progress that whoever asked for it keeps and looks at.
final class GlobalProgress: Sendable {
    let progress: SharedProgress

    init(_ kind: Progress.FileOperationKind) {
        progress = SharedProgress(totalUnitCount: 1)
        progress.kind = .file
        progress.fileOperationKind = kind
        show(TransferTotals())
    }

    func show(_ totals: TransferTotals) {
        // A total of nothing would not count as finished, and Foundation divides by it.
        progress.totalUnitCount = max(1, totals.bytes)
        progress.completedUnitCount = totals.isIdle ? 1 : totals.completedBytes
        progress.fileTotalCount = totals.files
        progress.fileCompletedCount = totals.completedFiles
    }
}
