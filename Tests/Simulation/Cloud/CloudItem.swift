import FileProvider
import FileProviderReplica
import Foundation
import UniformTypeIdentifiers

/// An item of the cloud, as its extension tells it.
final class CloudItem: NSObject, NSFileProviderItemDecorating, Sendable {
    let record: Cloud.Record

    init(_ record: Cloud.Record) {
        self.record = record
    }

    /// As the system is told of it.
    var shown: any NSFileProviderItemProtocol {
        record.details.map { DetailedCloudItem(self, $0) } ?? self
    }

    var itemIdentifier: NSFileProviderItemIdentifier { NSFileProviderItemIdentifier(record.id) }
    var parentItemIdentifier: NSFileProviderItemIdentifier {
        NSFileProviderItemIdentifier(record.parent)
    }
    var filename: String { record.name }
    var contentType: UTType {
        if record.isFolder { return record.name.hasSuffix(".bundle") ? .package : .folder }
        return record.target == nil ? .data : .symbolicLink
    }
    var symlinkTargetPath: String? { record.target }
    var itemVersion: NSFileProviderItemVersion {
        NSFileProviderItemVersion(
            contentVersion: Data((zeros + "\(record.contentVersion)").utf8),
            metadataVersion: Data("\(record.metadataVersion)".utf8))
    }
    /// Versions may have 128 bytes, and the name says which has more.
    private var zeros: String {
        record.name.hasPrefix("overlong") ? String(repeating: "0", count: 128) : ""
    }
    var documentSize: NSNumber? {
        record.isFolder ? nil : NSNumber(value: record.content.utf8.count)
    }
    var contentPolicy: NSFileProviderContentPolicy {
        if record.name.hasPrefix("lazy") { return .downloadLazily }
        if record.name.hasPrefix("fleeting") { return .downloadLazilyAndEvictOnRemoteUpdate }
        return record.name.hasPrefix("pinned") ? .downloadEagerlyAndKeepDownloaded : .inherited
    }
    /// Whether the cloud itself has it safe, the name says.
    var isUploaded: Bool { !record.name.hasPrefix("uploading") }
    var tagData: Data? { record.tags }
    var capabilities: NSFileProviderItemCapabilities { record.rights ?? .allowsEverything }

    /// What rules may ask about follows from the name.
    var userInfo: [AnyHashable: Any]? {
        guard record.name.hasPrefix("team") else { return nil }
        return [
            "team": record.name, "size": 3, "share": 0.5, "isOpen": true,
            "since": Date(timeIntervalSince1970: 1_000_000), "team.inherited": record.name,
            "quoted \"\\\n": "a \"\\\n", "unknown": [1],
        ]
    }

    var decorations: [NSFileProviderItemDecorationIdentifier]? {
        guard record.name.hasPrefix("team") else { return nil }
        return ["open", "undeclared", "shared", "shared again", "team"].map {
            NSFileProviderItemDecorationIdentifier($0)
        }
    }

    var ownerNameComponents: PersonNameComponents? {
        guard record.name.hasPrefix("team") else { return nil }
        var name = PersonNameComponents()
        name.givenName = "Ada"
        return name
    }
}
