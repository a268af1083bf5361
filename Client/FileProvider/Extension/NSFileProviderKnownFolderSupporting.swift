import Foundation

/// An extension whose domain may hold a person's desktop and documents.
public protocol NSFileProviderKnownFolderSupporting: NSObjectProtocol {
    /// Where the folders go that a person chose: all that are asked for.
    func getKnownFolderLocations(
        _ knownFolders: NSFileProviderKnownFolders,
        completionHandler:
            @escaping @Sendable (
                NSFileProviderKnownFolderLocations?, (any Error)?
            ) -> Void)
}
