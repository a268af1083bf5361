import FileProvider
import FileProviderReplica
import Foundation
import UniformTypeIdentifiers

/// An item as this device knows it: for who asks the system, and for rules.
package final class KnownItem: NSObject, NSFileProviderItem, Sendable {
    private let node: StoredNode
    private let entry: Entry
    private let template: ItemTemplate
    private let trouble: Trouble?

    /// - Parameters:
    ///   - parent: the identifier of the folder that it lies in.
    ///   - trouble: why it is not where it should be.
    init?(_ node: StoredNode, parent: NSFileProviderItemIdentifier, trouble: Trouble? = nil) {
        guard let identifier = node.identifier,
            let entry = node.trees.local ?? node.trees.synced ?? node.trees.remote
        else { return nil }
        self.node = node
        self.entry = entry
        self.trouble = trouble
        template = ItemTemplate(
            identifier: identifier, parent: parent, entry: entry, version: node.baseVersion,
            size: node.size, type: node.type)
    }

    package var itemIdentifier: NSFileProviderItemIdentifier { template.itemIdentifier }
    package var parentItemIdentifier: NSFileProviderItemIdentifier { template.parentItemIdentifier }
    package var filename: String { template.filename }
    package var itemVersion: NSFileProviderItemVersion { template.itemVersion }
    package var contentType: UTType { template.contentType }
    package var documentSize: NSNumber? { template.documentSize }
    package var creationDate: Date? { template.creationDate }
    package var contentModificationDate: Date? { template.contentModificationDate }
    package var lastUsedDate: Date? { template.lastUsedDate }
    package var fileSystemFlags: NSFileProviderFileSystemFlags { template.fileSystemFlags }
    package var favoriteRank: NSNumber? { template.favoriteRank }
    package var tagData: Data? { template.tagData }
    package var extendedAttributes: [String: Data] { template.extendedAttributes }
    package var typeAndCreator: NSFileProviderTypeAndCreator { template.typeAndCreator }
    package var symlinkTargetPath: String? { template.symlinkTargetPath }
    package var capabilities: NSFileProviderItemCapabilities { node.capabilities }
    package var contentPolicy: NSFileProviderContentPolicy { node.policy }

    // MARK: Between here and there

    package var isTrashed: Bool { parentItemIdentifier == .trashContainer }

    package var isUploaded: Bool {
        node.trees.remote != nil && !entry.content.isEdit
    }

    package var isDownloaded: Bool {
        switch entry.kind {
        case .file: node.residence == .whole
        case .folder: node.isListed
        case .symlink: true
        }
    }

    package var isMostRecentVersionDownloaded: Bool {
        isDownloaded && node.trees.remote.map { $0.content == entry.content } ?? true
    }

    /// What the system itself cannot do here; the rest is the provider's.
    private var isTroubledHere: Bool { trouble?.domain == Trouble.ownDomain }

    package var uploadingError: (any Error)? { isTroubledHere ? nil : error }
    package var downloadingError: (any Error)? { isTroubledHere ? error : nil }

    private var error: (any Error)? {
        trouble.map {
            NSError(
                domain: $0.domain, code: $0.code,
                userInfo: [NSLocalizedDescriptionKey: $0.message])
        }
    }
}

extension ReplicaReader {
    /// An item as this device knows it; nil for what the provider has not named yet.
    package func item(_ node: StoredNode) throws -> KnownItem? {
        let place = node.trees.local ?? node.trees.synced ?? node.trees.remote
        let parent = try place.flatMap { try self.node($0.parent)?.identifier }
        return KnownItem(
            node, parent: parent ?? .rootContainer,
            trouble: node.turn == nil ? nil : try trouble(of: node.id))
    }
}
