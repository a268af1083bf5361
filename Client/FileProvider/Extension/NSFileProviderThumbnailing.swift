import Foundation

/// An extension that has thumbnails of what is not here.
public protocol NSFileProviderThumbnailing: NSObjectProtocol {
    /// Calls the first handler once for each item, with no data for one that has no thumbnail, and then the
    /// second one. With an error there, the items that were not answered for have that error.
    func fetchThumbnails(
        for itemIdentifiers: [NSFileProviderItemIdentifier], requestedSize size: CGSize,
        perThumbnailCompletionHandler:
            @escaping @Sendable (
                NSFileProviderItemIdentifier, Data?, (any Error)?
            ) -> Void,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) -> Progress
}
