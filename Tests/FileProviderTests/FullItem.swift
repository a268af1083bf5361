import FileProvider
import Foundation
import UniformTypeIdentifiers

/// An item that implements every optional member, as one writes it on macOS, and says nothing with it.
final class FullItem: NSObject, NSFileProviderItem, NSFileProviderItemDecorating {
    let itemIdentifier = NSFileProviderItemIdentifier("full")
    let parentItemIdentifier = NSFileProviderItemIdentifier.rootContainer
    let filename = "full.txt"
    let contentType = UTType.plainText
    let itemVersion = NSFileProviderItemVersion(
        contentVersion: Data([1]), metadataVersion: Data([2]))
    let capabilities: NSFileProviderItemCapabilities = []
    let fileSystemFlags: NSFileProviderFileSystemFlags = []
    let typeAndCreator = NSFileProviderTypeAndCreator(type: 1, creator: 2)
    let documentSize: NSNumber? = nil
    let childItemCount: NSNumber? = nil
    let creationDate: Date? = nil
    let contentModificationDate: Date? = nil
    let extendedAttributes: [String: Data] = [:]
    let lastUsedDate: Date? = nil
    let tagData: Data? = nil
    let favoriteRank: NSNumber? = nil
    let isTrashed = false
    let isUploaded = false
    let isUploading = true
    let uploadingError: (any Error)? = nil
    let isDownloaded = true
    let isDownloading = false
    let downloadingError: (any Error)? = nil
    let isMostRecentVersionDownloaded = true
    let isShared = true
    let isSharedByCurrentUser = true
    let ownerNameComponents: PersonNameComponents? = nil
    let mostRecentEditorNameComponents: PersonNameComponents? = nil
    let symlinkTargetPath: String? = nil
    let userInfo: [AnyHashable: Any]? = nil
    let contentPolicy = NSFileProviderContentPolicy.inherited
    let typeIdentifier = "public.plain-text"
    let versionIdentifier: Data? = nil
    let decorations: [NSFileProviderItemDecorationIdentifier]? = [.init("badge")]
}
