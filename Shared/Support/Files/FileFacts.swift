/// What a file system says of something in it: of a symlink itself, not of what that leads to.
package struct FileFacts: Sendable, Equatable {
    package enum Kind: Sendable {
        case file, folder, symlink
        /// A socket, a pipe, a device.
        case other
    }

    package let kind: Kind
    package let size: Int64
    /// How much of the disk it takes: less than its size where it has holes.
    package let stored: Int64
    /// The rights of its owner, its group and everybody, as in `chmod`.
    package let mode: UInt16
    package let modified: Timestamp
    /// The volume that it lies on.
    package let device: UInt64
    /// How many names it has.
    package let links: Int
    /// Whether this process may do with it what its owner may.
    package let isOwn: Bool

    package init(
        kind: Kind, size: Int64, mode: UInt16, modified: Timestamp, device: UInt64,
        links: Int, isOwn: Bool, stored: Int64? = nil
    ) {
        self.kind = kind
        self.size = size
        self.stored = stored ?? size
        self.mode = mode
        self.modified = modified
        self.device = device
        self.links = links
        self.isOwn = isOwn
    }
}
