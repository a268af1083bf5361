import FileProvider
import FileProviderReplica

/// An item, as far as one has to know to speak of it.
package struct ItemSummary: Codable, Sendable, Equatable {
    package var node: Int64
    /// Nil until the provider has named it.
    package var identifier: String?
    /// From the domain's root, or from the trash, down.
    package var path: String
    package var isInTrash: Bool
    package var kind: String
    package var size: Int64

    init(_ node: StoredNode, _ reader: ReplicaReader) throws {
        self.node = node.id.rawValue
        identifier = node.identifier?.rawValue
        path = try reader.path(of: node.id).joined(separator: "/")
        isInTrash = try reader.lies(node.id, below: .trash)
        kind = "\(node.kind)"
        size = node.size
    }
}
