import BasketSupport
import FileProvider
import Foundation

/// What is said of a node besides its place and its content.
package struct EntryAttributes: Hashable, Sendable {
    package var created: Timestamp?
    package var modified: Timestamp?
    package var lastUsed: Timestamp?
    package var flags: NSFileProviderFileSystemFlags
    package var favoriteRank: UInt64?
    package var tags: Data?
    package var extended: [String: Data]
    /// The type in the upper half, the creator in the lower one.
    package var typeAndCreator: UInt64

    package init(
        created: Timestamp? = nil, modified: Timestamp? = nil, lastUsed: Timestamp? = nil,
        flags: NSFileProviderFileSystemFlags = [.userReadable, .userWritable],
        favoriteRank: UInt64? = nil, tags: Data? = nil, extended: [String: Data] = [:],
        typeAndCreator: UInt64 = 0
    ) {
        self.created = created
        self.modified = modified
        self.lastUsed = lastUsed
        self.flags = flags
        self.favoriteRank = favoriteRank
        self.tags = tags
        self.extended = extended
        self.typeAndCreator = typeAndCreator
    }

    /// By which the bits of a mode travel that no flag stands for.
    package static let modeAttribute = "user.basket.mode"

    /// Those of what somebody makes here. A folder that its owner cannot get into is of no use to anybody.
    package static func made(_ kind: NodeKind, at now: Timestamp?) -> EntryAttributes {
        var attributes = EntryAttributes(created: now, modified: now)
        if kind != .file { attributes.flags.insert(.userExecutable) }
        return attributes
    }
}
