import BasketSupport
import FileProvider
import Foundation

/// What the provider says of an item, read once: an item is an object of the extension's, which may answer
/// something else the next time.
package struct RemoteItem: Sendable {
    package var identifier: NSFileProviderItemIdentifier
    package var parent: NSFileProviderItemIdentifier
    package var name: String
    package var kind: NodeKind
    package var content: EntryContent
    package var attributes: EntryAttributes
    package var metadataVersion: Data
    /// The provider's name for the content of what is no file.
    package var contentVersion: Data?
    package var size: Int64
    package var capabilities: NSFileProviderItemCapabilities
    package var policy: NSFileProviderContentPolicy
    /// Whether the provider's own storage has all of its content.
    package var isUploaded: Bool
    /// Its type's spelling, where that does not follow from the name.
    package var type: String?
    package var facts: [UInt8]?
    /// What it says nothing of, so that nothing follows from it.
    package var unsaid: NSFileProviderItemFields

    package init(
        identifier: NSFileProviderItemIdentifier, parent: NSFileProviderItemIdentifier,
        name: String, kind: NodeKind, content: EntryContent,
        attributes: EntryAttributes = EntryAttributes(), metadataVersion: Data = Data(),
        contentVersion: Data? = nil, size: Int64 = 0,
        capabilities: NSFileProviderItemCapabilities = .allowsEverything,
        policy: NSFileProviderContentPolicy = .inherited, isUploaded: Bool = true,
        type: String? = nil,
        facts: [UInt8]? = nil, unsaid: NSFileProviderItemFields = []
    ) {
        self.identifier = identifier
        self.parent = parent
        self.name = name
        self.kind = kind
        self.content = content
        self.attributes = attributes
        self.metadataVersion = metadataVersion
        self.contentVersion = contentVersion
        self.size = size
        self.capabilities = capabilities
        self.policy = policy
        self.isUploaded = isUploaded
        self.type = type
        self.facts = facts
        self.unsaid = unsaid
    }
}
