import FileProvider
import FileProviderReplica

/// A change that the provider has told, and that nobody has taken in yet.
struct Tiding: Sendable {
    let number: UInt64
    let change: ChangeCollector.Batch.Change

    var identifier: NSFileProviderItemIdentifier {
        switch change {
        case .updated(let item): item.identifier
        case .deleted(let identifier): identifier
        }
    }

    /// The folder that has to be known before it can be taken in.
    var parent: NSFileProviderItemIdentifier? {
        if case .updated(let item) = change, item.identifier != .rootContainer,
            item.identifier != .trashContainer
        {
            item.parent
        } else {
            nil
        }
    }
}
