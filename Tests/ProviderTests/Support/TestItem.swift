import FileProvider
import Foundation
import UniformTypeIdentifiers

/// An item as the system hands it over.
final class TestItem: NSObject, NSFileProviderItemProtocol {
    var itemIdentifier: NSFileProviderItemIdentifier
    var parentItemIdentifier = NSFileProviderItemIdentifier.rootContainer
    var filename: String
    var contentType = UTType.data
    var itemVersion = NSFileProviderItemVersion(contentVersion: Data(), metadataVersion: Data())
    var fileSystemFlags: NSFileProviderFileSystemFlags = [.userReadable, .userWritable]
    var creationDate: Date?
    var contentModificationDate: Date?
    var lastUsedDate: Date?
    var tagData: Data?
    var favoriteRank: NSNumber?
    var extendedAttributes: [String: Data] = [:]
    var symlinkTargetPath: String?
    var typeAndCreator = NSFileProviderTypeAndCreator()

    init(_ name: String, id: String) {
        filename = name
        itemIdentifier = NSFileProviderItemIdentifier(id)
    }

    /// What the disk shows of an item of the provider's.
    init(of item: any NSFileProviderItemProtocol) {
        itemIdentifier = item.itemIdentifier
        parentItemIdentifier = item.parentItemIdentifier
        filename = item.filename
        contentType = item.contentType ?? .data
        itemVersion = item.itemVersion ?? itemVersion
        fileSystemFlags = item.fileSystemFlags ?? fileSystemFlags
        creationDate = item.creationDate ?? nil
        contentModificationDate = item.contentModificationDate ?? nil
        lastUsedDate = item.lastUsedDate ?? nil
        tagData = item.tagData ?? nil
        favoriteRank = item.favoriteRank ?? nil
        extendedAttributes = item.extendedAttributes ?? [:]
        symlinkTargetPath = item.symlinkTargetPath ?? nil
    }
}
