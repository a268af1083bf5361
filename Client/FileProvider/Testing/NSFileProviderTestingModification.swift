/// A change of one side will be made on the other.
public protocol NSFileProviderTestingModification: NSFileProviderTestingOperation {
    var targetSide: NSFileProviderTestingOperationSide { get }
    var sourceItem: any NSFileProviderItemProtocol { get }
    var targetItemIdentifier: NSFileProviderItemIdentifier { get }
    var targetItemBaseVersion: NSFileProviderItemVersion { get }
    var changedFields: NSFileProviderItemFields { get }
    /// The domain's version when the change was discovered.
    var domainVersion: NSFileProviderDomainVersion? { get }
}
