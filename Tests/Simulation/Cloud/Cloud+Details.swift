import BasketSupport
import FileProvider
import Foundation

extension Cloud {
    /// What people say of an item besides its name and its tags.
    struct Details: Sendable, Equatable {
        var modified: Date?
        var flags: NSFileProviderFileSystemFlags = [.userReadable, .userWritable]
        var favourite: UInt64?
        var extended: [String: Data] = [:]

        init(_ item: any NSFileProviderItemProtocol) {
            modified = item.contentModificationDate?.flatMap(\.self)
            flags = item.fileSystemFlags ?? flags
            favourite = item.favoriteRank?.flatMap(\.self)?.uint64Value
            extended = item.extendedAttributes ?? [:]
        }

        mutating func take(_ fields: NSFileProviderItemFields, from other: Details) {
            if fields.contains(.contentModificationDate) { modified = other.modified }
            if fields.contains(.fileSystemFlags) { flags = other.flags }
            if fields.contains(.favoriteRank) { favourite = other.favourite }
            if fields.contains(.extendedAttributes) { extended = other.extended }
        }
    }

    func details(for device: String) throws -> [String: ItemDetails] {
        paths().mapValues { item in
            var details = ItemDetails(identifier: item.id)
            if !item.isFolder, item.target == nil { details.size = Int64(item.content.utf8.count) }
            details.tags = ItemDetails.tags(of: item.tags)
            details.modified = item.details?.modified.map {
                Timestamp(nanoseconds: Int64(($0.timeIntervalSince1970 * 1e6).rounded()) * 1000)
            }
            details.flags = item.details?.flags.rawValue ?? 0
            details.favourite = item.details?.favourite
            details.extended = item.details?.extended ?? [:]
            return details
        }
    }
}
