import Foundation

extension NSError {
    /// Another item has the name: this one.
    public class func fileProviderErrorForCollision(
        with existingItem: any NSFileProviderItemProtocol
    ) -> NSError {
        error(.filenameCollision, NSFileProviderErrorItemKey, existingItem)
    }

    /// The item does not exist.
    public class func fileProviderErrorForNonExistentItem(
        withIdentifier itemIdentifier: NSFileProviderItemIdentifier
    ) -> NSError {
        error(
            .noSuchItem, NSFileProviderErrorNonExistentItemIdentifierKey, itemIdentifier.rawValue)
    }

    /// The item is not deleted, and this is how it is now.
    public class func fileProviderErrorForRejectedDeletion(
        of updatedVersion: any NSFileProviderItemProtocol
    ) -> NSError {
        error(.deletionRejected, NSFileProviderErrorItemKey, updatedVersion)
    }

    private class func error(_ code: NSFileProviderError.Code, _ key: String, _ value: Any)
        -> NSError
    {
        NSError(domain: NSFileProviderErrorDomain, code: code.rawValue, userInfo: [key: value])
    }
}
