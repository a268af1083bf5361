/// A file's content will be fetched.
public protocol NSFileProviderTestingContentFetch: NSFileProviderTestingOperation {
    var side: NSFileProviderTestingOperationSide { get }
    var itemIdentifier: NSFileProviderItemIdentifier { get }
}
