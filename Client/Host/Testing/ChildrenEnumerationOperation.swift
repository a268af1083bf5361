import FileProvider

/// Lists what is in a folder, or in the whole domain.
final class ChildrenEnumerationOperation: TestingOperation,
    NSFileProviderTestingChildrenEnumeration, @unchecked Sendable
{
    let side = NSFileProviderTestingOperationSide.fileProvider
    let itemIdentifier: NSFileProviderItemIdentifier

    init(_ subject: TestingSubject, _ identifier: NSFileProviderItemIdentifier) {
        itemIdentifier = identifier
        super.init(.childrenEnumeration, subject)
    }
}
