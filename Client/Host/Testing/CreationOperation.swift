import FileProvider

/// Makes an item of one side on the other.
final class CreationOperation: TestingOperation, NSFileProviderTestingCreation, @unchecked Sendable
{
    let targetSide: NSFileProviderTestingOperationSide
    let domainVersion: NSFileProviderDomainVersion?
    private let source: ItemTemplate

    var sourceItem: any NSFileProviderItemProtocol { source }

    init(
        _ subject: TestingSubject, on side: NSFileProviderTestingOperationSide,
        of source: ItemTemplate, _ domainVersion: NSFileProviderDomainVersion?
    ) {
        targetSide = side
        self.source = source
        self.domainVersion = domainVersion
        super.init(.creation, subject)
    }
}
