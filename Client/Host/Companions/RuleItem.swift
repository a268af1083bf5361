import BasketSupport
import FileProvider
import FileProviderReplica
import FileProviderRules
import UniformTypeIdentifiers

/// An item as rules see it.
struct RuleItem: PredicateObject {
    let item: KnownItem
    let facts: ItemFacts
    /// What the folders above pass on, each key from the nearest of them.
    let inherited: [String: FactValue]

    func value(for key: String) -> PredicateValue? {
        switch key {
        case "itemIdentifier": .string(item.itemIdentifier.rawValue)
        case "parentItemIdentifier": .string(item.parentItemIdentifier.rawValue)
        case "filename": .string(item.filename)
        case "contentType", "typeIdentifier": .string(item.contentType.identifier)
        case "documentSize": item.documentSize.map { .integer($0.int64Value) }
        case "childItemCount": facts.childItemCount.map { .integer($0) }
        case "creationDate": date(item.creationDate)
        case "contentModificationDate": date(item.contentModificationDate)
        case "lastUsedDate": date(item.lastUsedDate)
        case "tagData": item.tagData.map { .data(Array($0)) }
        case "favoriteRank": item.favoriteRank.map { .integer($0.int64Value) }
        case "capabilities": .integer(Int64(truncatingIfNeeded: item.capabilities.rawValue))
        case "versionIdentifier": .data(Array(item.itemVersion.contentVersion))
        case "userInfo": Self.object(facts.userInfo)
        case "inheritedUserInfo": Self.object(inherited)
        case "resolvedUserInfo": Self.object(inherited.merging(passedOn) { $1 })
        default: state(for: key)
        }
    }

    private func state(for key: String) -> PredicateValue? {
        switch key {
        case "isTrashed": .bool(item.isTrashed)
        case "isUploaded": .bool(item.isUploaded)
        case "isDownloaded": .bool(item.isDownloaded)
        case "isMostRecentVersionDownloaded": .bool(item.isMostRecentVersionDownloaded)
        case "uploadingError": error(item.uploadingError)
        case "downloadingError": error(item.downloadingError)
        case "isShared": .bool(facts.isShared ?? false)
        case "isSharedByCurrentUser": .bool(facts.isSharedByCurrentUser ?? false)
        case "ownerNameComponents": facts.owner.map { .object($0) }
        case "mostRecentEditorNameComponents": facts.editor.map { .object($0) }
        default: nil
        }
    }

    func type(_ identifier: String, conformsTo other: String) -> Bool {
        // Only the item itself may know what it is that its extension calls so.
        let type: UTType = item.contentType
        return ItemType.conforms(
            type.identifier == identifier ? type.spelling : identifier, to: other)
    }

    private var passedOn: [String: FactValue] {
        facts.userInfo.filter { $0.key.hasSuffix(Self.mark) }
    }

    /// Keys that end like this are seen by everything below.
    static let mark = ".inherited"

    static func object(_ values: [String: FactValue]) -> PredicateValue {
        .object(values.mapValues(\.value))
    }

    private func date(_ date: Date?) -> PredicateValue? {
        date.map { .date(Timestamp(date: $0)) }
    }

    private func error(_ error: (any Error)?) -> PredicateValue? {
        guard let stored = error as NSError? else { return nil }
        let values: [String: PredicateValue] = [
            "domain": .string(stored.domain), "code": .integer(Int64(stored.code)),
            "localizedDescription": .string(stored.localizedDescription),
        ]
        return .object(values)
    }
}
