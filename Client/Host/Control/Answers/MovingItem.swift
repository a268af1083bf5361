import FileProvider
import FileProviderReplica

/// Bytes of an item that are on their way.
package struct MovingItem: Codable, Sendable, Equatable {
    /// Nil for one that has gone meanwhile.
    package var item: ItemSummary?
    package var isUpload: Bool
    package var bytes: Int64
    package var completedBytes: Int64

    /// Whose transfer it is: what the provider has not named yet is called by its placeholder.
    static func node(_ name: String, _ reader: ReplicaReader) throws -> StoredNode? {
        if let node = try reader.node(identifier: NSFileProviderItemIdentifier(rawValue: name)) {
            return node
        }
        guard name.hasPrefix("new-"),
            let number = name.split(separator: "-").last.flatMap({ Int64($0) })
        else { return nil }
        return try reader.node(NodeID(rawValue: number))
    }
}
