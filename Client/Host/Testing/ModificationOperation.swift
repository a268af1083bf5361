import FileProvider

/// Makes an item of one side as it is on the other.
final class ModificationOperation: TestingOperation, NSFileProviderTestingModification,
    @unchecked Sendable
{
    let targetSide: NSFileProviderTestingOperationSide
    let targetItemIdentifier: NSFileProviderItemIdentifier
    let targetItemBaseVersion: NSFileProviderItemVersion
    let changedFields: NSFileProviderItemFields
    let domainVersion: NSFileProviderDomainVersion?
    private let source: ItemTemplate

    var sourceItem: any NSFileProviderItemProtocol { source }

    /// - Parameter base: the version that both sides agreed on.
    init(
        _ subject: TestingSubject, on side: NSFileProviderTestingOperationSide,
        like source: ItemTemplate, _ fields: NSFileProviderItemFields,
        base: NSFileProviderItemVersion, _ domainVersion: NSFileProviderDomainVersion?
    ) {
        targetSide = side
        self.source = source
        // An item has one identifier, whichever side it is on.
        targetItemIdentifier = source.itemIdentifier
        targetItemBaseVersion = base
        changedFields = fields
        self.domainVersion = domainVersion
        super.init(.modification, subject)
    }
}
