import FileProvider

/// Brings a file's bytes here.
final class ContentFetchOperation: TestingOperation, NSFileProviderTestingContentFetch,
    @unchecked Sendable
{
    let side = NSFileProviderTestingOperationSide.fileProvider
    let itemIdentifier: NSFileProviderItemIdentifier

    init(_ subject: TestingSubject, _ identifier: NSFileProviderItemIdentifier) {
        itemIdentifier = identifier
        super.init(.contentFetch, subject)
    }
}
