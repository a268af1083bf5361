import CFuse
import Glibc

/// What a name stands for.
package struct FuseEntry: Sendable {
    /// Nil where nobody has the name.
    package let status: FileStatus?
    /// By what the kernel asks for it from then on.
    package let number: UInt64
    /// So long the kernel need not ask again, unless it is told.
    package let nameValidFor: Duration
    package let statusValidFor: Duration

    /// - Parameter number: nil for that of the node.
    package init(
        _ status: FileStatus?, as number: UInt64? = nil, nameValidFor: Duration,
        statusValidFor: Duration
    ) {
        self.status = status
        self.number = number ?? status?.node ?? 0
        self.nameValidFor = nameValidFor
        self.statusValidFor = statusValidFor
    }

    var parameter: fuse_entry_param {
        var entry = fuse_entry_param()
        entry.entry_timeout = nameValidFor.inSeconds
        if let status {
            entry.ino = number
            entry.attr = status.stat
            entry.attr_timeout = statusValidFor.inSeconds
        }
        return entry
    }
}

extension Duration {
    var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
