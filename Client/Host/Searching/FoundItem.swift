import FileProvider
import FileProviderReplica
import Foundation

/// Something that the provider found. It may be one that nobody here has heard of yet.
package struct FoundItem: Sendable, Equatable {
    package let identifier: NSFileProviderItemIdentifier
    package let name: String
    /// The content type's identifier.
    package let type: String
    package let size: Int64?
    package let modified: Date?
    /// The node, where it is known here.
    package var node: NodeID?

    init(_ result: any NSFileProviderSearchResult) {
        identifier = result.itemIdentifier
        name = result.filename
        type = result.contentType.identifier
        size = result.documentSize?.int64Value
        modified = result.contentModificationDate
    }
}
