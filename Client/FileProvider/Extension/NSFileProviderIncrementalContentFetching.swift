import Foundation

/// An extension that can make the new content of a file from the old one.
public protocol NSFileProviderIncrementalContentFetching: NSObjectProtocol {
    /// The complete new content, made with the help of the one that is here. The answer is as for
    /// `fetchContents(for:version:request:completionHandler:)`.
    func fetchContents(
        for itemIdentifier: NSFileProviderItemIdentifier,
        version requestedVersion: NSFileProviderItemVersion?,
        usingExistingContentsAt existingContents: URL,
        existingVersion: NSFileProviderItemVersion, request: NSFileProviderRequest,
        completionHandler:
            @escaping @Sendable (
                URL?, (any NSFileProviderItemProtocol)?, (any Error)?
            ) -> Void
    ) -> Progress
}
