/// An item of one side will be made on the other.
public protocol NSFileProviderTestingCreation: NSFileProviderTestingOperation {
    var targetSide: NSFileProviderTestingOperationSide { get }
    var sourceItem: any NSFileProviderItemProtocol { get }
    /// The domain's version when the item was discovered.
    var domainVersion: NSFileProviderDomainVersion? { get }
}
