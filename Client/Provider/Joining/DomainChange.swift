import BasketModels
import BasketSupport

/// The latest change of an item, as far as a server tells of it.
package struct DomainChange: Sendable {
    package enum Kind: String, Sendable {
        case created, written, trashed
        /// Its name, its place, or something that is said of it.
        case changed
    }

    package let item: ItemInfo
    package let kind: Kind
    package let path: String

    init(_ item: ItemInfo, in tree: DomainTree) {
        self.item = item
        kind =
            if item.parent == DomainTree.trash {
                .trashed
            } else if max(item.contentVersion, item.metadataVersion).description == item.id {
                // Its first versions are the number by which it is called.
                .created
            } else if item.contentVersion >= item.metadataVersion {
                .written
            } else {
                .changed
            }
        path = tree.path(of: item) ?? item.name
    }

    /// By which changes are ordered: the server's numbers only ever rise.
    var rank: Version { max(item.contentVersion, item.metadataVersion) }

    /// When it was, where that is said of the item itself.
    package var when: Timestamp? {
        switch kind {
        case .trashed: item.trashed
        case .created: item.created
        case .written, .changed: nil
        }
    }
}
