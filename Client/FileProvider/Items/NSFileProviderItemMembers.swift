/// Optional members of an item, as a set.
package struct NSFileProviderItemMembers: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    package static let contentType = NSFileProviderItemMembers(rawValue: 1 << 0)
    package static let itemVersion = NSFileProviderItemMembers(rawValue: 1 << 1)
    package static let capabilities = NSFileProviderItemMembers(rawValue: 1 << 2)
    package static let fileSystemFlags = NSFileProviderItemMembers(rawValue: 1 << 3)
    package static let typeAndCreator = NSFileProviderItemMembers(rawValue: 1 << 4)
    package static let documentSize = NSFileProviderItemMembers(rawValue: 1 << 5)
    package static let childItemCount = NSFileProviderItemMembers(rawValue: 1 << 6)
    package static let creationDate = NSFileProviderItemMembers(rawValue: 1 << 7)
    package static let contentModificationDate = NSFileProviderItemMembers(rawValue: 1 << 8)
    package static let extendedAttributes = NSFileProviderItemMembers(rawValue: 1 << 9)
    package static let lastUsedDate = NSFileProviderItemMembers(rawValue: 1 << 10)
    package static let tagData = NSFileProviderItemMembers(rawValue: 1 << 11)
    package static let favoriteRank = NSFileProviderItemMembers(rawValue: 1 << 12)
    package static let isTrashed = NSFileProviderItemMembers(rawValue: 1 << 13)
    package static let isUploaded = NSFileProviderItemMembers(rawValue: 1 << 14)
    package static let isUploading = NSFileProviderItemMembers(rawValue: 1 << 15)
    package static let uploadingError = NSFileProviderItemMembers(rawValue: 1 << 16)
    package static let isDownloaded = NSFileProviderItemMembers(rawValue: 1 << 17)
    package static let isDownloading = NSFileProviderItemMembers(rawValue: 1 << 18)
    package static let downloadingError = NSFileProviderItemMembers(rawValue: 1 << 19)
    package static let isMostRecentVersionDownloaded = NSFileProviderItemMembers(rawValue: 1 << 20)
    package static let isShared = NSFileProviderItemMembers(rawValue: 1 << 21)
    package static let isSharedByCurrentUser = NSFileProviderItemMembers(rawValue: 1 << 22)
    package static let ownerNameComponents = NSFileProviderItemMembers(rawValue: 1 << 23)
    package static let mostRecentEditorNameComponents = NSFileProviderItemMembers(rawValue: 1 << 24)
    package static let symlinkTargetPath = NSFileProviderItemMembers(rawValue: 1 << 25)
    package static let userInfo = NSFileProviderItemMembers(rawValue: 1 << 26)
    package static let contentPolicy = NSFileProviderItemMembers(rawValue: 1 << 27)
    package static let typeIdentifier = NSFileProviderItemMembers(rawValue: 1 << 28)
    package static let versionIdentifier = NSFileProviderItemMembers(rawValue: 1 << 29)
}
