/// A node's number in one replica, which the mount shows as its inode number. It is never given to
/// another node, so that whoever kept it does not find something else under it.
package struct NodeID: RawRepresentable, Hashable, Comparable, Sendable {
    package let rawValue: Int64

    package init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    /// There from the start, as in every file system.
    package static let root = NodeID(rawValue: 1)
    package static let trash = NodeID(rawValue: 2)

    package static func < (left: NodeID, right: NodeID) -> Bool {
        left.rawValue < right.rawValue
    }
}
