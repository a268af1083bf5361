import FileProvider
import Foundation
import UniformTypeIdentifiers

/// An item of a cloud that keeps what people say of it.
final class DetailedCloudItem: NSObject, NSFileProviderItemDecorating, @unchecked Sendable {
    private let plain: CloudItem
    private let details: Cloud.Details

    init(_ plain: CloudItem, _ details: Cloud.Details) {
        self.plain = plain
        self.details = details
    }

    var itemIdentifier: NSFileProviderItemIdentifier { plain.itemIdentifier }
    var parentItemIdentifier: NSFileProviderItemIdentifier { plain.parentItemIdentifier }
    var filename: String { plain.filename }
    var contentType: UTType { plain.contentType }
    var symlinkTargetPath: String? { plain.symlinkTargetPath }
    var itemVersion: NSFileProviderItemVersion { plain.itemVersion }
    var documentSize: NSNumber? { plain.documentSize }
    var contentPolicy: NSFileProviderContentPolicy { plain.contentPolicy }
    var tagData: Data? { plain.tagData }
    var userInfo: [AnyHashable: Any]? { plain.userInfo }
    var decorations: [NSFileProviderItemDecorationIdentifier]? { plain.decorations }

    var contentModificationDate: Date? { details.modified }
    var fileSystemFlags: NSFileProviderFileSystemFlags { details.flags }
    var favoriteRank: NSNumber? { details.favourite.map { NSNumber(value: $0) } }
    var extendedAttributes: [String: Data] { details.extended }
}
