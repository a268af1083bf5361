import BasketSupport
import FileProvider
import FileProviderReplica
import Foundation
import UniformTypeIdentifiers

/// Reads what an extension says of an item, once, and refuses what cannot be.
enum ItemReader {
    /// One that cannot be taken keeps nobody from the others.
    static func readAll(
        _ items: [any NSFileProviderItemProtocol], refused: inout [HostError]
    ) -> [RemoteItem] {
        var taken: [RemoteItem] = []
        taken.reserveCapacity(items.count)
        for item in items {
            do {
                taken.append(try read(item))
            } catch {
                refused.append(error)
            }
        }
        return taken
    }

    static func read(_ item: any NSFileProviderItemProtocol) throws(HostError) -> RemoteItem {
        let identifier = item.itemIdentifier
        guard !identifier.rawValue.isEmpty else { throw .badItem("an item has no identifier") }
        // One without a name gets a stand-in, as one whose name no file can have.
        let name = item.filename
        let version: NSFileProviderItemVersion? = item.itemVersion
        for part in [version?.contentVersion, version?.metadataVersion].compactMap(\.self)
        where part.count > NSFileProviderItemVersion.mostBytes {
            throw .badItem("item \(identifier.rawValue) has a version of \(part.count) bytes")
        }
        let type: UTType? = item.contentType
        let kind = kind(of: type)
        var unsaid: NSFileProviderItemFields = []
        let attributes = attributes(of: item, &unsaid)
        let content: EntryContent =
            switch kind {
            case .folder: .none
            case .symlink: .target(item.symlinkTargetPath?.flatMap(\.self) ?? "")
            case .file: .version(version?.contentVersion ?? Data())
            }
        let size: NSNumber? = item.documentSize.flatMap(\.self)
        let capabilities: NSFileProviderItemCapabilities? = item.capabilities
        let isUploaded: Bool? = item.isUploaded
        let policy: NSFileProviderContentPolicy? = item.contentPolicy
        return RemoteItem(
            identifier: identifier, parent: item.parentItemIdentifier, name: name, kind: kind,
            content: content, attributes: attributes,
            metadataVersion: version?.metadataVersion ?? Data(),
            contentVersion: kind == .file ? nil : version?.contentVersion,
            size: min(max(0, size?.int64Value ?? 0), Self.mostBytes),
            capabilities: capabilities ?? .allowsEverything, policy: policy ?? .inherited,
            isUploaded: isUploaded ?? true,
            type: said(type, name: name, kind: kind),
            facts: ItemFactsWriter.facts(of: item), unsaid: unsaid)
    }

    /// No file is longer, and the lengths of many can be added.
    private static let mostBytes: Int64 = 1 << 50

    private static func kind(of type: UTType?) -> NodeKind {
        guard let type else { return .file }
        if type.conforms(to: .directory) || type.conforms(to: .package) { return .folder }
        return type.conforms(to: .symbolicLink) ? .symlink : .file
    }

    /// Most types follow from the name, and need not be kept.
    private static func said(_ type: UTType?, name: String, kind: NodeKind) -> String? {
        guard let type else { return nil }
        return type == .usual(for: kind, named: name) ? nil : type.spelling
    }

    private static func attributes(
        of item: any NSFileProviderItemProtocol, _ unsaid: inout NSFileProviderItemFields
    ) -> EntryAttributes {
        func said<Value>(_ value: Value?, _ field: NSFileProviderItemFields) -> Value? {
            if value == nil { unsaid.insert(field) }
            return value
        }
        var attributes = EntryAttributes()
        attributes.created = said(item.creationDate, .creationDate).flatMap(\.self)
            .map(Timestamp.init(date:))
        attributes.modified = said(item.contentModificationDate, .contentModificationDate)
            .flatMap(\.self).map(Timestamp.init(date:))
        attributes.lastUsed = said(item.lastUsedDate, .lastUsedDate).flatMap(\.self)
            .map(Timestamp.init(date:))
        attributes.flags = said(item.fileSystemFlags, .fileSystemFlags) ?? attributes.flags
        attributes.favoriteRank =
            said(item.favoriteRank, .favoriteRank).flatMap(\.self)?
            .uint64Value
        attributes.tags = said(item.tagData, .tagData).flatMap(\.self)
        attributes.extended = said(item.extendedAttributes, .extendedAttributes) ?? [:]
        if let codes = said(item.typeAndCreator, .typeAndCreator) {
            attributes.typeAndCreator = UInt64(codes.type) << 32 | UInt64(codes.creator)
        }
        return attributes
    }
}
