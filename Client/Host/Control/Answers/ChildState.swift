import BasketSupport
import FileProvider
import FileProviderReplica

/// An item of a folder, as far as one sees it at a glance.
package struct ChildState: Codable, Sendable, Equatable {
    /// How much of it is here: of a file its bytes, of a folder the list of what lies in it.
    package enum Residence: String, Codable, Sendable {
        case none, partial, whole
    }

    package var state: ItemState
    package var residence: Residence
    /// How its content is kept, as the provider says of it or of a folder above.
    package var policy: String
    package var isPinned: Bool
    /// Whether it stays on this device, and is none of the provider's.
    package var isExcluded: Bool
    /// Whether it is not where it should be yet.
    package var isPending: Bool
    package var modified: String?

    /// - Parameter download: why its content is not here, though it is to be.
    init(_ node: StoredNode, _ reader: ReplicaReader, download: Trouble? = nil) throws {
        state = try ItemState(node, reader, download: download)
        residence =
            switch (node.kind, node.residence) {
            case (.folder, _): node.isListed ? .whole : .none
            case (.symlink, _), (.file, .whole): .whole
            case (.file, .partial): .partial
            case (.file, .dataless): .none
            }
        let policy = try reader.policy(of: node.id)
        self.policy = "\(policy)"
        isPinned = policy == .downloadEagerlyAndKeepDownloaded
        isExcluded = node.exclusion != .no
        isPending = try node.turn != nil || reader.isHeld(removalOf: node.id)
        modified = node.main?.attributes.modified?.rfc3339
    }
}
