import FileProvider
import FileProviderReplica
import Foundation
import UniformTypeIdentifiers

/// An item as it is here, for the extension to make the provider's one like it.
final class ItemTemplate: NSObject, NSFileProviderItem, Sendable {
    let itemIdentifier: NSFileProviderItemIdentifier
    let parentItemIdentifier: NSFileProviderItemIdentifier
    let filename: String
    let itemVersion: NSFileProviderItemVersion
    private let entry: Entry
    private let size: Int64
    private let type: String?

    init(
        identifier: NSFileProviderItemIdentifier, parent: NSFileProviderItemIdentifier,
        entry: Entry, version: NSFileProviderItemVersion, size: Int64, type: String?
    ) {
        itemIdentifier = identifier
        parentItemIdentifier = parent
        filename = entry.name
        itemVersion = version
        self.entry = entry
        self.size = size
        self.type = type
    }

    var contentType: UTType { .ofEntry(entry, said: type) }

    var documentSize: NSNumber? { entry.kind == .file ? NSNumber(value: size) : nil }
    var creationDate: Date? { entry.attributes.created?.date }
    var contentModificationDate: Date? { entry.attributes.modified?.date }
    var lastUsedDate: Date? { entry.attributes.lastUsed?.date }
    var fileSystemFlags: NSFileProviderFileSystemFlags { entry.attributes.flags }
    var favoriteRank: NSNumber? { entry.attributes.favoriteRank.map { NSNumber(value: $0) } }
    var tagData: Data? { entry.attributes.tags }
    var extendedAttributes: [String: Data] { entry.attributes.extended }
    var typeAndCreator: NSFileProviderTypeAndCreator {
        let codes = entry.attributes.typeAndCreator
        return NSFileProviderTypeAndCreator(
            type: UInt32(truncatingIfNeeded: codes >> 32),
            creator: UInt32(truncatingIfNeeded: codes))
    }
    var symlinkTargetPath: String? {
        if case .target(let path) = entry.content { path } else { nil }
    }
}
