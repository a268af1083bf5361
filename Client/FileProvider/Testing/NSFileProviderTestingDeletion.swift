/// An item that is gone from one side will be deleted on the other.
public protocol NSFileProviderTestingDeletion: NSFileProviderTestingOperation {
    var targetSide: NSFileProviderTestingOperationSide { get }
    var sourceItemIdentifier: NSFileProviderItemIdentifier { get }
    var targetItemIdentifier: NSFileProviderItemIdentifier { get }
    var targetItemBaseVersion: NSFileProviderItemVersion { get }
    /// The domain's version when the deletion was discovered.
    var domainVersion: NSFileProviderDomainVersion? { get }
}
