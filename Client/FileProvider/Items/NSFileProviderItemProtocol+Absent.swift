import Foundation
import UniformTypeIdentifiers

/// What the members are for a class that leaves them out. Each leaves a note that it was asked: only so can
/// the system tell a provider that says "no attributes" from one that knows nothing of attributes.
extension NSFileProviderItemProtocol {
    @_disfavoredOverload public var contentType: UTType {
        absent(.contentType, .ofFile(named: filename))
    }
    @_disfavoredOverload public var itemVersion: NSFileProviderItemVersion {
        absent(.itemVersion, .unversioned)
    }
    @_disfavoredOverload public var capabilities: NSFileProviderItemCapabilities {
        absent(.capabilities, [])
    }
    @_disfavoredOverload public var fileSystemFlags: NSFileProviderFileSystemFlags {
        absent(.fileSystemFlags, [.userReadable, .userWritable])
    }
    @_disfavoredOverload public var typeAndCreator: NSFileProviderTypeAndCreator {
        absent(.typeAndCreator, NSFileProviderTypeAndCreator())
    }
    @_disfavoredOverload public var documentSize: NSNumber? { absent(.documentSize, nil) }
    @_disfavoredOverload public var childItemCount: NSNumber? { absent(.childItemCount, nil) }
    @_disfavoredOverload public var creationDate: Date? { absent(.creationDate, nil) }
    @_disfavoredOverload public var contentModificationDate: Date? {
        absent(.contentModificationDate, nil)
    }
    @_disfavoredOverload public var extendedAttributes: [String: Data] {
        absent(.extendedAttributes, [:])
    }
    @_disfavoredOverload public var lastUsedDate: Date? { absent(.lastUsedDate, nil) }
    @_disfavoredOverload public var tagData: Data? { absent(.tagData, nil) }
    @_disfavoredOverload public var favoriteRank: NSNumber? { absent(.favoriteRank, nil) }
    @_disfavoredOverload public var isTrashed: Bool { absent(.isTrashed, false) }
    @_disfavoredOverload public var isUploaded: Bool { absent(.isUploaded, true) }
    @_disfavoredOverload public var isUploading: Bool { absent(.isUploading, false) }
    @_disfavoredOverload public var uploadingError: (any Error)? { absent(.uploadingError, nil) }
    @_disfavoredOverload public var isDownloaded: Bool { absent(.isDownloaded, false) }
    @_disfavoredOverload public var isDownloading: Bool { absent(.isDownloading, false) }
    @_disfavoredOverload public var downloadingError: (any Error)? {
        absent(.downloadingError, nil)
    }
    @_disfavoredOverload public var isMostRecentVersionDownloaded: Bool {
        absent(.isMostRecentVersionDownloaded, false)
    }
    @_disfavoredOverload public var isShared: Bool { absent(.isShared, false) }
    @_disfavoredOverload public var isSharedByCurrentUser: Bool {
        absent(.isSharedByCurrentUser, false)
    }
    @_disfavoredOverload public var ownerNameComponents: PersonNameComponents? {
        absent(.ownerNameComponents, nil)
    }
    @_disfavoredOverload public var mostRecentEditorNameComponents: PersonNameComponents? {
        absent(.mostRecentEditorNameComponents, nil)
    }
    @_disfavoredOverload public var symlinkTargetPath: String? { absent(.symlinkTargetPath, nil) }
    @_disfavoredOverload public var userInfo: [AnyHashable: Any]? { absent(.userInfo, nil) }
    @_disfavoredOverload public var contentPolicy: NSFileProviderContentPolicy {
        absent(.contentPolicy, .inherited)
    }
    @_disfavoredOverload public var typeIdentifier: String {
        absent(.typeIdentifier, contentType.identifier)
    }
    @_disfavoredOverload public var versionIdentifier: Data? { absent(.versionIdentifier, nil) }
}
