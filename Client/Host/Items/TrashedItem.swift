import BasketSupport
import FileProvider
import FileProviderReplica

/// What a provider says of where something in the trash was, and since when it is there, by entries of the item's
/// `userInfo`.
package struct TrashedItem: Sendable {
    /// The folder in which it was, by the path from the domain's root down; nil where that is not known here.
    package let folder: [String]?
    package let date: Timestamp?
}

extension DomainHost {
    /// Under these an extension says it: an item's identifier, and a date.
    private static let (folderKey, dateKey) = ("trashedFrom", "trashed")

    package func trashed(_ id: NodeID) throws -> TrashedItem {
        try replica.read { reader in
            let facts = ItemFacts(stored: try reader.node(id)?.facts).userInfo
            var folder: [String]?
            if case .text(let name)? = facts[Self.folderKey],
                let node = try reader.id(of: NSFileProviderItemIdentifier(rawValue: name)),
                try !reader.lies(node, below: .trash)
            {
                folder = try reader.path(of: node)
            }
            var date: Timestamp?
            if case .date(let moment)? = facts[Self.dateKey] { date = moment }
            return TrashedItem(folder: folder, date: date)
        }
    }
}
