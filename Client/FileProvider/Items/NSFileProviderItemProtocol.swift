import Foundation
import UniformTypeIdentifiers

/// An item, as the provider describes it: a file, a folder, a symbolic link, an alias, a package.
///
/// A class implements the first three members and, of the others, those that it has something to tell for.
/// In Objective-C the others are optional. Swift alone has no such thing: here they have values for classes
/// that leave them out, and reading one through the protocol gives what it gives on Apple's systems: one
/// more level of `Optional`, nil for what is not implemented.
public protocol NSFileProviderItemProtocol: NSObjectProtocol {
    var itemIdentifier: NSFileProviderItemIdentifier { get }
    /// The folder that the item lies in: its true one, in the working set too. Not read for the root.
    var parentItemIdentifier: NSFileProviderItemIdentifier { get }
    /// The complete name, with its extension; never empty.
    var filename: String { get }

    /// What the item is. A folder, a symbolic link, an alias and a package say so here.
    /// Providers should always implement it: otherwise the extension of `filename` decides.
    @_disfavoredOverload var contentType: UTType { get }
    /// The version of the item. Providers should always implement it.
    @_disfavoredOverload var itemVersion: NSFileProviderItemVersion { get }
    /// What file browsers offer to do with the item.
    @_disfavoredOverload var capabilities: NSFileProviderItemCapabilities { get }
    /// The owner's rights, and how the item is shown.
    @_disfavoredOverload var fileSystemFlags: NSFileProviderFileSystemFlags { get }
    /// The type and creator codes of old Macs.
    @_disfavoredOverload var typeAndCreator: NSFileProviderTypeAndCreator { get }
    /// The logical size in bytes.
    @_disfavoredOverload var documentSize: NSNumber? { get }
    /// How many items a folder has. For information only.
    @_disfavoredOverload var childItemCount: NSNumber? { get }
    /// When the item was made.
    @_disfavoredOverload var creationDate: Date? { get }
    /// When the contents last changed.
    @_disfavoredOverload var contentModificationDate: Date? { get }
    /// Those extended attributes that are synchronised, about 32 KiB together at most.
    @_disfavoredOverload var extendedAttributes: [String: Data] { get }
    /// When a person last opened the item on purpose.
    @_disfavoredOverload var lastUsedDate: Date? { get }
    /// The tags, as an opaque blob.
    @_disfavoredOverload var tagData: Data? { get }
    /// The place among the favourites. Read on iOS alone.
    @_disfavoredOverload var favoriteRank: NSNumber? { get }
    /// Belongs to the older model: here an item in the trash has `trashContainer` as its parent.
    @_disfavoredOverload var isTrashed: Bool { get }
    /// Whether the server has the content. What it has not is never evicted.
    @_disfavoredOverload var isUploaded: Bool { get }
    /// Whether the content is on its way to the server.
    @_disfavoredOverload var isUploading: Bool { get }
    /// Why it did not get there.
    @_disfavoredOverload var uploadingError: (any Error)? { get }
    /// Not read: the system knows what it fetched.
    @_disfavoredOverload var isDownloaded: Bool { get }
    /// Not read: the system knows what it fetches.
    @_disfavoredOverload var isDownloading: Bool { get }
    /// Why a download failed.
    @_disfavoredOverload var downloadingError: (any Error)? { get }
    /// Whether what is here is the newest version.
    @_disfavoredOverload var isMostRecentVersionDownloaded: Bool { get }
    /// Whether others have access.
    @_disfavoredOverload var isShared: Bool { get }
    /// Whether it is this person who shares it.
    @_disfavoredOverload var isSharedByCurrentUser: Bool { get }
    /// The name of its owner, if that is somebody else.
    @_disfavoredOverload var ownerNameComponents: PersonNameComponents? { get }
    /// The name of who changed it last, if that is somebody else.
    @_disfavoredOverload var mostRecentEditorNameComponents: PersonNameComponents? { get }
    /// The text of a symbolic link.
    @_disfavoredOverload var symlinkTargetPath: String? { get }
    /// State for predicates: strings, numbers, booleans and dates by keys that are strings.
    /// Keys that end in `.inherited` hold for all below the item.
    @_disfavoredOverload var userInfo: [AnyHashable: Any]? { get }
    /// When the content is downloaded, and when it may go again.
    @_disfavoredOverload var contentPolicy: NSFileProviderContentPolicy { get }
    /// Deprecated by `contentType`.
    @_disfavoredOverload var typeIdentifier: String { get }
    /// Deprecated by `itemVersion`.
    @_disfavoredOverload var versionIdentifier: Data? { get }
}

/// The name by which extensions conform to the protocol, and speak of items.
public typealias NSFileProviderItem = NSFileProviderItemProtocol
