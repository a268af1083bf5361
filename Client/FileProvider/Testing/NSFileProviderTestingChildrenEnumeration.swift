/// A folder's items will be listed.
public protocol NSFileProviderTestingChildrenEnumeration: NSFileProviderTestingOperation {
    var side: NSFileProviderTestingOperationSide { get }
    var itemIdentifier: NSFileProviderItemIdentifier { get }
}
