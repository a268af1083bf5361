import FileProvider

/// Asks the provider for one item.
final class LookupOperation: TestingOperation, NSFileProviderTestingLookup, @unchecked Sendable {
    let side = NSFileProviderTestingOperationSide.fileProvider
    let itemIdentifier: NSFileProviderItemIdentifier

    init(_ subject: TestingSubject, _ identifier: NSFileProviderItemIdentifier) {
        itemIdentifier = identifier
        super.init(.lookup, subject)
    }
}
