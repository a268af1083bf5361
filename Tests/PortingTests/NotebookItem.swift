import FileProvider
import UniformTypeIdentifiers

class NotebookItem: NSObject, NSFileProviderItem, NSFileProviderItemDecorating {
    let page: Page

    init(_ page: Page) {
        self.page = page
        super.init()
    }

    var itemIdentifier: NSFileProviderItemIdentifier {
        return NSFileProviderItemIdentifier(page.identifier)
    }

    var parentItemIdentifier: NSFileProviderItemIdentifier {
        return NSFileProviderItemIdentifier(rawValue: page.parent)
    }

    var capabilities: NSFileProviderItemCapabilities {
        if page.isSection {
            return [
                .allowsReading, .allowsAddingSubItems, .allowsContentEnumerating, .allowsRenaming,
                .allowsDeleting,
            ]
        }
        return [
            .allowsReading, .allowsWriting, .allowsRenaming, .allowsReparenting, .allowsTrashing,
            .allowsDeleting,
        ]
    }

    var itemVersion: NSFileProviderItemVersion {
        let content = withUnsafeBytes(of: page.contentRevision) { Data($0) }
        let metadata = withUnsafeBytes(of: page.metadataRevision) { Data($0) }
        return NSFileProviderItemVersion(contentVersion: content, metadataVersion: metadata)
    }

    var filename: String {
        return page.name
    }

    var contentType: UTType {
        return page.isSection
            ? .folder
            : UTType(filenameExtension: (page.name as NSString).pathExtension) ?? .plainText
    }

    var documentSize: NSNumber? {
        return page.isSection ? nil : NSNumber(value: page.text.count)
    }

    var contentModificationDate: Date? {
        return page.modified
    }

    var tagData: Data? {
        return page.tags
    }

    var extendedAttributes: [String: Data] {
        return [:]
    }

    var userInfo: [AnyHashable: Any]? {
        return ["isLong": page.text.count > 10_000]
    }

    var contentPolicy: NSFileProviderContentPolicy {
        return page.isSection ? .inherited : .downloadLazily
    }

    var decorations: [NSFileProviderItemDecorationIdentifier]? {
        return page.tags == nil
            ? nil
            : [NSFileProviderItemDecorationIdentifier(rawValue: "org.example.notebook.tagged")]
    }
}
