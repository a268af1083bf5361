import BasketModels
import FileProvider
import Foundation
import UniformTypeIdentifiers

/// An item of the server's, as the system sees it.
package final class BasketItem: NSObject, NSFileProviderItemDecorating, Sendable {
    package let info: ItemInfo
    private let facts: DomainFacts
    private let marks: ItemMarks

    init(_ info: ItemInfo, facts: DomainFacts, marks: ItemMarks = ItemMarks()) {
        self.info = info
        self.facts = facts
        self.marks = marks
    }

    // MARK: Identity and place

    package var itemIdentifier: NSFileProviderItemIdentifier {
        NSFileProviderItemIdentifier(server: info.id)
    }

    /// The root's and the trash's own is ignored.
    package var parentItemIdentifier: NSFileProviderItemIdentifier {
        info.parent.map { NSFileProviderItemIdentifier(server: $0) } ?? .rootContainer
    }

    /// Never empty, not even the root's.
    package var filename: String { info.name.isEmpty ? facts.name : info.name }

    package var contentType: UTType {
        switch info.kind {
        case .folder: info.flags.contains(.package) ? .package : .folder
        case .symlink: .symbolicLink
        case .file:
            .ofFile(named: info.name)
        }
    }

    package var itemVersion: NSFileProviderItemVersion {
        NSFileProviderItemVersion(content: info.contentVersion, metadata: info.metadataVersion)
    }

    package var symlinkTargetPath: String? { info.target }

    // MARK: Metadata

    package var fileSystemFlags: NSFileProviderFileSystemFlags { ReservedAttribute.flags(of: info) }
    package var extendedAttributes: [String: Data] { ReservedAttribute.all(of: info) }
    package var creationDate: Date? { info.created?.date }
    package var contentModificationDate: Date? { info.modified?.date }
    package var lastUsedDate: Date? { info.lastUsed?.date }
    package var tagData: Data? { TagCoding.data(info.tags) }
    package var favoriteRank: NSNumber? { info.favoriteRank.map { NSNumber(value: $0) } }
    package var documentSize: NSNumber? { info.size.map { NSNumber(value: $0) } }
    package var childItemCount: NSNumber? { info.children.map { NSNumber(value: $0) } }
    package var typeAndCreator: NSFileProviderTypeAndCreator { NSFileProviderTypeAndCreator() }

    // MARK: What may be done with it, and how it is shown

    package var capabilities: NSFileProviderItemCapabilities {
        guard facts.mayWrite, info.parent != nil || info.id == Self.root else {
            return .allowsReading
        }
        guard info.id != Self.root else { return [.allowsReading, .allowsAddingSubItems] }
        var capabilities: NSFileProviderItemCapabilities = [
            .allowsReading, .allowsWriting, .allowsReparenting, .allowsRenaming, .allowsDeleting,
            .allowsExcludingFromSync,
        ]
        if facts.hasTrash { capabilities.insert(.allowsTrashing) }
        return capabilities
    }

    package var contentPolicy: NSFileProviderContentPolicy {
        marks.isPinned ? .downloadEagerlyAndKeepDownloaded : .inherited
    }

    package var isShared: Bool { info.id == Self.root && facts.isShared }
    package var isSharedByCurrentUser: Bool { isShared && facts.role == .owner }
    package var isTrashed: Bool { info.trashed != nil }

    package var decorations: [NSFileProviderItemDecorationIdentifier]? {
        Decoration.allCases.filter(has).map(\.identifier)
    }

    private func has(_ decoration: Decoration) -> Bool {
        switch decoration {
        case .conflict: info.conflicts > 0
        case .locked: !marks.locks.isEmpty
        case .pinned: marks.isPinned
        case .favorite: info.favoriteRank != nil
        case .shared: isShared
        }
    }

    /// What rules may ask about. With the trash itself nothing can be done.
    package var userInfo: [AnyHashable: Any]? {
        guard info.parent != nil || info.id == Self.root else { return nil }
        var all: [AnyHashable: Any] = [
            "conflicts": info.conflicts, "locked": !marks.locks.isEmpty,
            "pinned": marks.isPinned, "favorite": info.favoriteRank != nil,
        ]
        if let lock = marks.otherLock ?? marks.locks.first {
            all["lockedBy"] = lock.account
            all["lockedOn"] = lock.device
            all["lockedHere"] = marks.isLockedHere
            all["lockedElsewhere"] = marks.otherLock != nil
        }
        if let trashed = info.trashed { all["trashed"] = trashed.date }
        if let folder = info.trashedFrom {
            all["trashedFrom"] = NSFileProviderItemIdentifier(server: folder).rawValue
        }
        return all
    }

    static let root = "root"
}
