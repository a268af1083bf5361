import FileProvider
import Foundation

/// What lies in the served folder, as its extension tells it.
final class FolderItem: NSObject, NSFileProviderItem, Sendable {
    let record: FolderListing.Record

    init(_ record: FolderListing.Record) {
        self.record = record
    }

    var itemIdentifier: NSFileProviderItemIdentifier { record.id }
    var parentItemIdentifier: NSFileProviderItemIdentifier { record.parent }
    var filename: String { record.name }
    var contentType: UTType {
        switch record.kind {
        case .file: .data
        case .folder: .folder
        case .link: .symbolicLink
        }
    }
    var documentSize: NSNumber? {
        record.kind == .file ? NSNumber(value: record.size) : nil
    }
    var symlinkTargetPath: String? { record.target }
    var itemVersion: NSFileProviderItemVersion {
        NSFileProviderItemVersion(
            contentVersion: record.contentVersion,
            metadataVersion: Data("\(record.parent.rawValue)/\(record.name)".utf8))
    }
}
