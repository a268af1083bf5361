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

    /// What is on its way of an item.
    package func transfers(of id: NodeID) throws -> [ItemTransfer] {
        guard let item = try replica.read({ try $0.node(id)?.identifier?.rawValue }) else {
            return []
        }
        let kinds: [Progress.FileOperationKind] = [.uploading, .downloading]
        return kinds.compactMap { kind in
            calls.transfers(kind)?.transfer(of: item).map {
                ItemTransfer(kind: kind, bytes: $0.bytes, completedBytes: $0.completed)
            }
        }
    }

    /// Shows a progress on an item, in place of what the calls for it say, until it ends. It belongs to what its
    /// kind says, else to what is to be done with the item.
    package func register(_ progress: Progress, for id: NodeID) throws {
        guard let node = try replica.read({ try $0.node(id) }),
            let item = node.identifier?.rawValue
        else { throw LocalError.notFound }
        let isUpload: Bool =
            switch progress.fileOperationKind {
            case .uploading?: true
            case .downloading?, .receiving?: false
            default: node.trees.local?.content.isEdit == true
            }
        let (kind, other) =
            isUpload ? (calls.uploads, calls.downloads) : (calls.downloads, calls.uploads)
        other.unregister(item)
        kind.register(progress, for: item)
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
