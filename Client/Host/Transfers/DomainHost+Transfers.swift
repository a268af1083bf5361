import BasketSupport
import FileProvider
import FileProviderReplica
import Foundation

// How far everything has come that is on its way.
extension DomainHost {
    /// So often it is looked while somebody may be looking, too.
    private static let lookInterval = Duration.milliseconds(500)

    /// How far all uploads, or all downloads, have come.
    package func totals(of kind: Progress.FileOperationKind) -> TransferTotals {
        calls.transfers(kind)?.totals ?? TransferTotals()
    }

    /// The same as a progress that goes on to be right.
    package func globalProgress(for kind: Progress.FileOperationKind) -> Progress {
        calls.transfers(kind)?.progress ?? GlobalProgress(kind).progress
    }

    /// Keeps those up to date that somebody has asked for, for as long as something is on its way.
    func showTransfers() async {
        while !Task.isCancelled {
            let count = replica.changes.count
            let (isUp, isDown) = (calls.uploads.show(), calls.downloads.show())
            if !isUp, !isDown { await replica.changes.wait(since: count) }
            try? await world.sleep(Self.lookInterval)
        }
    }
}
