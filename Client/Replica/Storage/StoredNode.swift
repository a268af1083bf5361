import BasketDatabase
import FileProvider
import Foundation

/// A node as the replica keeps it.
package struct StoredNode: Sendable, Equatable {
    /// How much of a node is here. A folder is whole when all its children are known.
    package enum Residence: Int, Sendable {
        case dataless = 0
        case partial = 1
        case whole = 2
    }

    package let id: NodeID
    /// Nil until the provider has given one.
    package var identifier: NSFileProviderItemIdentifier?
    package var trees: NodeTrees
    /// The provider's names for the metadata of the remote and of the synced entry.
    package var remoteMetadata: Data?
    package var syncedMetadata: Data?
    /// Of what the local tree has, and of what the provider has.
    package var size: Int64 = 0
    package var remoteSize: Int64 = 0
    package var capabilities: NSFileProviderItemCapabilities = .allowsEverything
    package var policy = NSFileProviderContentPolicy.inherited
    /// The content type's identifier, where the name does not tell.
    package var type: String?
    /// What else the provider says of the item, as JSON.
    package var facts: [UInt8]?
    package var residence = Residence.dataless
    /// The number of the file that holds its bytes.
    package var file: Int64?
    /// Those bytes are to stay: they are being sent, or nobody has marked them as changed yet.
    package var isFrozen = false
    /// Since when it asks for attention; nil when it is settled.
    package var turn: Int64?

    package init(id: NodeID, trees: NodeTrees) {
        self.id = id
        self.trees = trees
    }

    /// What its row's columns say: the local entry, else the remote one, else the synced one.
    var main: Entry? { trees.local ?? trees.remote ?? trees.synced }

    /// The version that was here when what is here was made of it; what a change is based on.
    package var baseVersion: NSFileProviderItemVersion {
        let content: Data? =
            if case .version(let version)? = trees.synced?.content { version } else { nil }
        return NSFileProviderItemVersion(
            contentVersion: content ?? NSFileProviderItemVersion.beforeFirstSyncComponent,
            metadataVersion: syncedMetadata ?? NSFileProviderItemVersion.beforeFirstSyncComponent)
    }
}

extension NSFileProviderItemCapabilities {
    /// All that was ever forbidden by a bit of its own.
    package static let allowsEverything: NSFileProviderItemCapabilities = [
        .allowsReading, .allowsWriting, .allowsReparenting, .allowsRenaming, .allowsTrashing,
        .allowsDeleting,
    ]
}
