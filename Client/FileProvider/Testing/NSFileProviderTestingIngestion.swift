/// A change on one side will be noticed.
public protocol NSFileProviderTestingIngestion: NSFileProviderTestingOperation {
    /// Where the change was made.
    var side: NSFileProviderTestingOperationSide { get }
    var itemIdentifier: NSFileProviderItemIdentifier { get }
    /// The item as it is now; nil when it is being deleted.
    var item: (any NSFileProviderItemProtocol)? { get }
}
