import BasketModels
import BasketSupport
import FileProvider
import Foundation
import UniformTypeIdentifiers

/// What the system wants an item to be, copied while the call lasts: an item of the system's may be used on
/// no other thread.
struct ItemTemplate: Sendable {
    let identifier: NSFileProviderItemIdentifier
    let parent: NSFileProviderItemIdentifier
    let name: String
    let kind: ItemKind
    let isPackage: Bool
    let version: NSFileProviderItemVersion?
    let target: String?
    let created: Timestamp?
    let modified: Timestamp?
    let lastUsed: Timestamp?
    private(set) var flags: NSFileProviderFileSystemFlags
    let attributes: [String: Data]
    let tagData: Data?
    let favoriteRank: UInt64?

    init(_ item: any NSFileProviderItemProtocol) {
        func type(_ item: some NSFileProviderItemProtocol) -> UTType? { item.contentType }
        let type = type(item)
        identifier = item.itemIdentifier
        parent = item.parentItemIdentifier
        name = item.filename
        let isLink = type?.conforms(to: .symbolicLink) ?? false
        let isFolder = type?.conforms(to: .directory) ?? false
        kind = isLink ? .symlink : isFolder ? .folder : .file
        isPackage = type?.conforms(to: .package) ?? false
        version = item.itemVersion
        target = item.symlinkTargetPath ?? nil
        created = (item.creationDate ?? nil).flatMap { Timestamp($0) }
        modified = (item.contentModificationDate ?? nil).flatMap { Timestamp($0) }
        lastUsed = (item.lastUsedDate ?? nil).flatMap { Timestamp($0) }
        flags = item.fileSystemFlags ?? [.userReadable, .userWritable]
        attributes = item.extendedAttributes ?? [:]
        tagData = item.tagData ?? nil
        favoriteRank = (item.favoriteRank ?? nil)?.uint64Value
    }

    /// What is new: whoever makes a folder and says nothing of a mode wants to get into it.
    var asCreation: ItemTemplate {
        var template = self
        if kind != .file, attributes[ReservedAttribute.mode] == nil {
            template.flags.insert(.userExecutable)
        }
        return template
    }
}
