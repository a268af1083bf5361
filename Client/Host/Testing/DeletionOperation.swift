import FileProvider

/// Deletes on one side what is gone from the other.
final class DeletionOperation: TestingOperation, NSFileProviderTestingDeletion, @unchecked Sendable
{
    let targetSide: NSFileProviderTestingOperationSide
    let sourceItemIdentifier: NSFileProviderItemIdentifier
    let targetItemBaseVersion: NSFileProviderItemVersion
    let domainVersion: NSFileProviderDomainVersion?

    var targetItemIdentifier: NSFileProviderItemIdentifier { sourceItemIdentifier }

    init(
        _ subject: TestingSubject, on side: NSFileProviderTestingOperationSide,
        _ identifier: NSFileProviderItemIdentifier, base: NSFileProviderItemVersion,
        _ domainVersion: NSFileProviderDomainVersion?
    ) {
        targetSide = side
        sourceItemIdentifier = identifier
        targetItemBaseVersion = base
        self.domainVersion = domainVersion
        super.init(.deletion, subject)
    }
}
