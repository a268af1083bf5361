import BasketSupport
import FileProvider
import FileProviderReplica

/// Something that the provider found.
package struct FoundEntry: Codable, Sendable, Equatable {
    package var identifier: String
    package var name: String
    package var type: String
    package var size: Int64?
    package var modified: String?
    /// Where it is known here.
    package var item: ItemSummary?

    init(_ found: FoundItem, _ reader: ReplicaReader) throws {
        identifier = found.identifier.rawValue
        name = found.name
        type = found.type
        size = found.size
        modified = found.modified.map { Timestamp(date: $0).rfc3339 }
        item = try found.node.flatMap { try reader.node($0) }.map { try ItemSummary($0, reader) }
    }
}
