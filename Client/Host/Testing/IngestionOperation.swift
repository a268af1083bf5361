import FileProvider

/// Takes note of what is on one side, and changes nothing on the other.
final class IngestionOperation: TestingOperation, NSFileProviderTestingIngestion,
    @unchecked Sendable
{
    let side: NSFileProviderTestingOperationSide
    let itemIdentifier: NSFileProviderItemIdentifier
    private let found: ItemTemplate?

    var item: (any NSFileProviderItemProtocol)? { found }

    init(
        _ subject: TestingSubject, side: NSFileProviderTestingOperationSide,
        _ identifier: NSFileProviderItemIdentifier, _ item: ItemTemplate?
    ) {
        self.side = side
        itemIdentifier = identifier
        found = item
        super.init(.ingestion, subject)
    }
}
