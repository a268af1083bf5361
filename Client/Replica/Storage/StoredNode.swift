import BasketDatabase
import BasketSupport
import FileProvider
import Foundation

/// A node as the replica keeps it.
package struct StoredNode: Sendable, Equatable {
    /// How much of a file's content is here.
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
    /// The same for the contents of what is no file: a file's are what the entries go by.
    package var remoteContentVersion: Data?
    package var syncedContentVersion: Data?
    /// Of what the local tree has, and of what the provider has.
    package var size: Int64 = 0
    package var remoteSize: Int64 = 0
    package var capabilities: NSFileProviderItemCapabilities = .allowsEverything
    /// The provider's own storage has not got all of its content yet, as the provider says.
    package var isUploading = false
    package var policy = NSFileProviderContentPolicy.inherited
    /// The content type's identifier, where the name does not tell.
    package var type: String?
    /// What else the provider says of the item, as JSON.
    package var facts: [UInt8]?
    package var residence = Residence.dataless
    /// The number of the file that holds its bytes.
    package var file: Int64?
    /// That file was handed over: however the call ended, somebody may read it still, and must see it as it was.
    /// What is written next goes into another one.
    package var isFrozen = false
    /// The file of the version before, so that only the difference needs to be fetched.
    package var basis: Basis?
    /// Why the content is to be here as soon as there is time.
    package var want = Want.no
    /// How many of its bytes are here.
    package var here: Int64 = 0
    /// When somebody last had it open, or had it brought here.
    package var opened = Timestamp.never
    /// A folder all of whose children are known.
    package var isListed = false
    /// The provider was asked to make it, or to delete what stays here, and has not answered yet: it may have
    /// done so.
    package var isUnanswered = false
    /// What the provider does not take of what was changed here.
    package var muted: NSFileProviderItemFields = []
    /// What the provider wants to be sent.
    package var request = RequestedChange()
    /// What the provider was asked to change and has not answered, the oldest first.
    package var unheard: [UnheardChange] = []
    /// When something was made, removed or renamed in a folder, since somebody has set its date.
    package var touched: Timestamp?
    /// When anything of it was last changed here, whatever date it has.
    package var changed: Timestamp?
    /// Why it stays here, and is none of the provider's.
    package var exclusion = Exclusion.no
    /// Since when it asks for attention; nil when it is settled.
    package var turn: Int64?
    /// The node that must come on before this one can; or a number that no node has, where it is something else.
    package var waits: NodeID?

    package struct Basis: Sendable, Equatable {
        package let file: Int64
        package let version: Data

        package init(file: Int64, version: Data) {
            self.file = file
            self.version = version
        }
    }

    package init(id: NodeID, trees: NodeTrees) {
        self.id = id
        self.trees = trees
    }

    /// What both sides say bears the provider's newest names from now on.
    package mutating func agreeOnVersions() {
        syncedMetadata = remoteMetadata
        if trees.synced?.content == trees.remote?.content {
            syncedContentVersion = remoteContentVersion
        }
    }

    /// It is the provider's again.
    package mutating func include() {
        if exclusion != .no, trees.remote == nil { loseCounterpart() }
        exclusion = isUnanswered && trees.remote != nil ? .leaving : .no
    }

    /// It stays here from now on. What the provider does not have, nobody has agreed on: it would be taken for deleted by
    /// others when it is the provider's again.
    package mutating func stay(because reason: Exclusion) {
        exclusion = reason
        isUnanswered = false
        unheard = []
        if trees.remote == nil { loseCounterpart() }
    }

    /// The provider does not have it any more.
    package mutating func loseRemote() {
        trees.remote = nil
        // What stays here with its folder may have been there alone.
        let isNowhere = exclusion != .no && kind == .file && residence != .whole
        if exclusion != .no { loseCounterpart() }
        if trees.local == nil || isNowhere { trees = NodeTrees() }
    }

    /// What stays here is nobody else's any more.
    package mutating func loseCounterpart() {
        trees.synced = nil
        identifier = nil
        isUnanswered = false
        unheard = []
    }

    /// Brings the count of bytes here up to date; that of a partial content is kept by who adds the parts. Of a content
    /// that is not here, the one before may be, to fetch the difference to. What is here is not waited for.
    mutating func countBytes(before: StoredNode?) {
        if kind == .file, residence == .whole { isWanted = false }
        switch residence {
        case .dataless:
            let isBefore = before.map { [$0.file, $0.basis?.file].contains(basis?.file) } ?? false
            if basis == nil || !isBefore { here = 0 }
        case .whole: here = kind == .file ? size : 0
        case .partial: if before?.residence != .partial || before?.file != file { here = 0 }
        }
    }

    /// What its row's columns say: the local entry, else the remote one, else the synced one.
    package var main: Entry? { trees.local ?? trees.remote ?? trees.synced }

    package var kind: NodeKind { main?.kind ?? .file }

    /// The same, but for something.
    package func with(_ change: (inout StoredNode) -> Void) -> StoredNode {
        var copy = self
        change(&copy)
        return copy
    }

    /// The version that was here when what is here was made of it; what a change is based on.
    package var baseVersion: NSFileProviderItemVersion {
        let isSynced = trees.synced != nil
        var content = isSynced ? syncedContentVersion : nil
        // What was handed over is a version that no item has: whoever is asked takes it for an outdated one.
        if case .version(let version)? = trees.synced?.content { content = version }
        return NSFileProviderItemVersion(
            contentVersion: content ?? NSFileProviderItemVersion.beforeFirstSyncComponent,
            metadataVersion: (isSynced ? syncedMetadata : nil)
                ?? NSFileProviderItemVersion.beforeFirstSyncComponent)
    }
}

extension NSFileProviderItemCapabilities {
    /// All that was ever forbidden by a bit of its own.
    package static let allowsEverything: NSFileProviderItemCapabilities = [
        .allowsReading, .allowsWriting, .allowsReparenting, .allowsRenaming, .allowsTrashing,
        .allowsDeleting,
    ]
}

extension Timestamp {
    /// When somebody used what nobody has used yet.
    package static let never = Timestamp(nanoseconds: 0)
}
