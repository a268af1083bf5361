/// One item will be looked up.
public protocol NSFileProviderTestingLookup: NSFileProviderTestingOperation {
    var side: NSFileProviderTestingOperationSide { get }
    var itemIdentifier: NSFileProviderItemIdentifier { get }
}
