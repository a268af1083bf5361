import FileProvider
import Foundation

/// A file on the shelf, as its extension tells it.
final class ShelfItem: NSObject, NSFileProviderItem, Sendable {
    let itemIdentifier: NSFileProviderItemIdentifier
    let filename: String
    let bytes: Data
    let version: Int

    init(_ identifier: NSFileProviderItemIdentifier, _ name: String, _ bytes: Data, version: Int) {
        itemIdentifier = identifier
        filename = name
        self.bytes = bytes
        self.version = version
    }

    var parentItemIdentifier: NSFileProviderItemIdentifier { .rootContainer }
    var contentType: UTType { .data }
    var documentSize: NSNumber? { NSNumber(value: bytes.count) }
    var itemVersion: NSFileProviderItemVersion {
        NSFileProviderItemVersion(
            contentVersion: Data("\(version)".utf8), metadataVersion: Data("\(version)".utf8))
    }
}
