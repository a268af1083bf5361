import Foundation

/// An extension that can fetch a part of a file.
public protocol NSFileProviderPartialContentFetching: NSObjectProtocol {
    /// A range of one version's content, at its place in a file that is as long as the range's end. The range
    /// covers what is asked for; it starts at a multiple of `alignment`, and its length is one too unless it
    /// ends with the file. `{0, size}` is the whole file.
    func fetchPartialContents(
        for itemIdentifier: NSFileProviderItemIdentifier,
        version requestedVersion: NSFileProviderItemVersion, request: NSFileProviderRequest,
        minimalRange requestedRange: NSRange, aligningTo alignment: Int,
        options: NSFileProviderFetchContentsOptions,
        completionHandler:
            @escaping @Sendable (
                URL?, (any NSFileProviderItemProtocol)?, NSRange,
                NSFileProviderMaterializationFlags,
                (any Error)?
            ) -> Void
    ) -> Progress
}
