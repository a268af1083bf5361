import Foundation
import UniformTypeIdentifiers

/// Reading through the protocol, as on Apple's systems: nil for a member that the item's class does not
/// implement.
///
/// They extend another protocol than the values for absent members do, since no one place may hold two
/// properties of a name.
extension NSObjectProtocol where Self: NSFileProviderItemProtocol {
    public var contentType: UTType? {
        present(.contentType) { (item: Self) -> UTType in
            item.contentType
        }
    }
    public var itemVersion: NSFileProviderItemVersion? {
        present(.itemVersion) {
            (item: Self) -> NSFileProviderItemVersion in
            item.itemVersion
        }
    }
    public var capabilities: NSFileProviderItemCapabilities? {
        present(.capabilities) {
            (item: Self) -> NSFileProviderItemCapabilities in
            item.capabilities
        }
    }
    public var fileSystemFlags: NSFileProviderFileSystemFlags? {
        present(.fileSystemFlags) {
            (item: Self) -> NSFileProviderFileSystemFlags in
            item.fileSystemFlags
        }
    }
    public var typeAndCreator: NSFileProviderTypeAndCreator? {
        present(.typeAndCreator) {
            (item: Self) -> NSFileProviderTypeAndCreator in
            item.typeAndCreator
        }
    }
    public var documentSize: NSNumber?? {
        present(.documentSize) { (item: Self) -> NSNumber? in
            item.documentSize
        }
    }
    public var childItemCount: NSNumber?? {
        present(.childItemCount) { (item: Self) -> NSNumber? in
            item.childItemCount
        }
    }
    public var creationDate: Date?? {
        present(.creationDate) { (item: Self) -> Date? in
            item.creationDate
        }
    }
    public var contentModificationDate: Date?? {
        present(.contentModificationDate) {
            (item: Self) -> Date? in item.contentModificationDate
        }
    }
    public var extendedAttributes: [String: Data]? {
        present(.extendedAttributes) {
            (item: Self) -> [String: Data] in
            item.extendedAttributes
        }
    }
    public var lastUsedDate: Date?? {
        present(.lastUsedDate) { (item: Self) -> Date? in
            item.lastUsedDate
        }
    }
    public var tagData: Data?? {
        present(.tagData) { (item: Self) -> Data? in item.tagData }
    }
    public var favoriteRank: NSNumber?? {
        present(.favoriteRank) { (item: Self) -> NSNumber? in
            item.favoriteRank
        }
    }
    public var isTrashed: Bool? {
        present(.isTrashed) { (item: Self) -> Bool in
            item.isTrashed
        }
    }
    public var isUploaded: Bool? {
        present(.isUploaded) { (item: Self) -> Bool in
            item.isUploaded
        }
    }
    public var isUploading: Bool? {
        present(.isUploading) { (item: Self) -> Bool in
            item.isUploading
        }
    }
    public var uploadingError: (any Error)?? {
        present(.uploadingError) { (item: Self) -> (any Error)? in
            item.uploadingError
        }
    }
    public var isDownloaded: Bool? {
        present(.isDownloaded) { (item: Self) -> Bool in
            item.isDownloaded
        }
    }
    public var isDownloading: Bool? {
        present(.isDownloading) { (item: Self) -> Bool in
            item.isDownloading
        }
    }
    public var downloadingError: (any Error)?? {
        present(.downloadingError) {
            (item: Self) -> (any Error)? in item.downloadingError
        }
    }
    public var isMostRecentVersionDownloaded: Bool? {
        present(.isMostRecentVersionDownloaded) {
            (item: Self) -> Bool in
            item.isMostRecentVersionDownloaded
        }
    }
    public var isShared: Bool? {
        present(.isShared) { (item: Self) -> Bool in item.isShared
        }
    }
    public var isSharedByCurrentUser: Bool? {
        present(.isSharedByCurrentUser) { (item: Self) -> Bool in
            item.isSharedByCurrentUser
        }
    }
    public var ownerNameComponents: PersonNameComponents?? {
        present(.ownerNameComponents) {
            (item: Self) -> PersonNameComponents? in
            item.ownerNameComponents
        }
    }
    public var mostRecentEditorNameComponents: PersonNameComponents?? {
        present(.mostRecentEditorNameComponents) {
            (item: Self) -> PersonNameComponents? in
            item.mostRecentEditorNameComponents
        }
    }
    public var symlinkTargetPath: String?? {
        present(.symlinkTargetPath) { (item: Self) -> String? in
            item.symlinkTargetPath
        }
    }
    public var userInfo: [AnyHashable: Any]?? {
        present(.userInfo) { (item: Self) -> [AnyHashable: Any]? in
            item.userInfo
        }
    }
    public var contentPolicy: NSFileProviderContentPolicy? {
        present(.contentPolicy) {
            (item: Self) -> NSFileProviderContentPolicy in
            item.contentPolicy
        }
    }
    public var typeIdentifier: String? {
        present(.typeIdentifier) { (item: Self) -> String in
            item.typeIdentifier
        }
    }
    public var versionIdentifier: Data?? {
        present(.versionIdentifier) { (item: Self) -> Data? in
            item.versionIdentifier
        }
    }
}
