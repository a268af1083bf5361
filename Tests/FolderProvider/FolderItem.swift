import FileProvider
import Foundation

/// What lies in the served folder, as its extension tells it.
package final class FolderItem: NSObject, NSFileProviderItem, Sendable {
    package let record: FolderListing.Record

    package init(_ record: FolderListing.Record) {
        self.record = record
    }

    package var itemIdentifier: NSFileProviderItemIdentifier { record.id }
    package var parentItemIdentifier: NSFileProviderItemIdentifier { record.parent }
    package var filename: String { record.name }
    package var contentType: UTType {
        switch record.kind {
        case .file: .data
        case .folder: .folder
        case .link: .symbolicLink
        }
    }
    package var documentSize: NSNumber? {
        record.kind == .file ? NSNumber(value: record.size) : nil
    }
    package var symlinkTargetPath: String? { record.target }
    package var itemVersion: NSFileProviderItemVersion {
        NSFileProviderItemVersion(
            contentVersion: record.contentVersion,
            metadataVersion: Data("\(record.parent.rawValue)/\(record.name)".utf8))
    }
}
