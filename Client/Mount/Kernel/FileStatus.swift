import BasketSupport
import CFuse
import Glibc

/// What `stat` says of a node.
package struct FileStatus: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case file
        case folder
        case symlink
        /// A FIFO, a socket or a device, by the bits of its type.
        case special(UInt32)
    }

    package var node: UInt64
    package var kind: Kind
    /// The lower twelve bits of the mode.
    package var permissions: UInt32
    package var size: Int64
    /// How many bytes of it lie on the disk.
    package var stored: Int64
    package var links: UInt32
    package var user: UInt32
    package var group: UInt32
    package var accessed: Timestamp
    package var modified: Timestamp
    package var changed: Timestamp
    /// Of a device.
    package var device: UInt64

    package init(
        node: UInt64, kind: Kind, permissions: UInt32, size: Int64, stored: Int64, links: UInt32,
        user: UInt32, group: UInt32, accessed: Timestamp, modified: Timestamp, changed: Timestamp,
        device: UInt64 = 0
    ) {
        self.node = node
        self.kind = kind
        self.permissions = permissions
        self.size = size
        self.stored = stored
        self.links = links
        self.user = user
        self.group = group
        self.accessed = accessed
        self.modified = modified
        self.changed = changed
        self.device = device
    }

    /// But for its dates.
    func isSame(as other: FileStatus) -> Bool {
        var dated = self
        (dated.accessed, dated.modified, dated.changed) = (
            other.accessed, other.modified, other.changed
        )
        return dated == other
    }

    /// What programs read and write at a time, best.
    private static let blockSize = 4096
    /// In what `st_blocks` counts, whatever the disk has.
    private static let unit: Int64 = 512

    var stat: stat {
        var status = Glibc.stat()
        status.st_ino = UInt(node)
        status.st_mode = permissions | kind.bits
        status.st_nlink = UInt(links)
        status.st_uid = user
        status.st_gid = group
        status.st_rdev = UInt(device)
        status.st_size = Int(size)
        status.st_blksize = Self.blockSize
        status.st_blocks = Int((stored + Self.unit - 1) / Self.unit)
        status.st_atim = accessed.timespec
        status.st_mtim = modified.timespec
        status.st_ctim = changed.timespec
        return status
    }
}

extension FileStatus.Kind {
    var bits: UInt32 {
        switch self {
        case .file: S_IFREG
        case .folder: S_IFDIR
        case .symlink: S_IFLNK
        case .special(let bits): bits
        }
    }
}
