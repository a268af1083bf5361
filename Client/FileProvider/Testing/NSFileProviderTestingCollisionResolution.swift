/// One of two items that want one place will get another name.
public protocol NSFileProviderTestingCollisionResolution: NSFileProviderTestingOperation {
    var side: NSFileProviderTestingOperationSide { get }
    var renamedItem: any NSFileProviderItemProtocol { get }
}
