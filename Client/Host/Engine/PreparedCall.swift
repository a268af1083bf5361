import FileProvider
import FileProviderReplica
import Foundation

/// A call that is ready to be made: everything it hands over stays as it is until it is answered.
struct PreparedCall: Sendable {
    enum Kind: Sendable {
        case create(NSFileProviderCreateItemOptions)
        case modify(base: NSFileProviderItemVersion, NSFileProviderModifyItemOptions)
        case delete(base: NSFileProviderItemVersion)
    }

    let node: NodeID
    let kind: Kind
    /// As the extension gets to see it.
    let template: ItemTemplate
    /// What is handed over.
    let sent: Entry
    let fields: NSFileProviderItemFields
    let contents: URL?
    /// Keeps that file where it is until the call is answered.
    let hold: ContentHold?
    /// What the provider had said before.
    let known: Entry?
    /// The version of that.
    var knownMetadata: Data?
    /// Whether it was asked for before, by a call whose answer nobody heard.
    var isRepeated = false
    /// The domain's version under which it was noticed that there is something to do.
    let domainVersion: Int64?

    var category: CallCategory { contents == nil ? .metadata : .content }
    var identifier: NSFileProviderItemIdentifier { template.itemIdentifier }

    /// Whether the answer concerns the node: its identifier may have gone to another one meanwhile, and with
    /// it whatever was done at the provider.
    func isStillAbout(_ node: StoredNode?) -> Bool {
        guard let node else { return false }
        if case .create = kind { return true }
        return node.identifier == identifier
    }

    /// Who does not exist, when the extension says that something does not: the item, or its folder.
    func suspect(
        _ named: NSFileProviderItemIdentifier?
    ) -> NSFileProviderItemIdentifier {
        if case .create = kind { return template.parentItemIdentifier }
        return named == template.parentItemIdentifier ? template.parentItemIdentifier : identifier
    }
}
