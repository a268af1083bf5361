import FileProvider
import Foundation
import UniformTypeIdentifiers

/// An item of the cloud, as its extension tells it.
final class CloudItem: NSObject, NSFileProviderItem, Sendable {
    let record: Cloud.Record

    init(_ record: Cloud.Record) {
        self.record = record
    }

    var itemIdentifier: NSFileProviderItemIdentifier { NSFileProviderItemIdentifier(record.id) }
    var parentItemIdentifier: NSFileProviderItemIdentifier {
        NSFileProviderItemIdentifier(record.parent)
    }
    var filename: String { record.name }
    var contentType: UTType { record.isFolder ? .folder : .data }
    var itemVersion: NSFileProviderItemVersion {
        NSFileProviderItemVersion(
            contentVersion: Data("\(record.contentVersion)".utf8),
            metadataVersion: Data("\(record.metadataVersion)".utf8))
    }
    var documentSize: NSNumber? {
        record.isFolder ? nil : NSNumber(value: record.content.utf8.count)
    }
    var contentPolicy: NSFileProviderContentPolicy {
        record.name.hasPrefix("pinned") ? .downloadEagerlyAndKeepDownloaded : .inherited
    }
    var tagData: Data? { record.tags }
}
