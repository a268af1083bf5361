import Foundation

/// An extension that offers services to other programs.
public protocol NSFileProviderServicing: NSObjectProtocol {
    /// The services for one item.
    func supportedServiceSources(
        for itemIdentifier: NSFileProviderItemIdentifier,
        completionHandler:
            @escaping @Sendable (
                [any NSFileProviderServiceSource]?, (any Error)?
            ) -> Void
    ) -> Progress
}
