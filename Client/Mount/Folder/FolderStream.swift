import FileProviderReplica

/// A folder that somebody lists: what was in it when it was opened. By their numbers, which no other ones ever get,
/// whoever goes on finds where, whatever has come and gone meanwhile.
struct FolderStream: Sendable {
    private let nodes: [NodeID]

    /// The folder itself, and the one in which it lies.
    static let own: Int64 = 1
    static let parents: Int64 = 2

    init(_ nodes: [NodeID]) {
        self.nodes = nodes.sorted()
    }

    func nodes(after number: Int64) -> ArraySlice<NodeID> {
        var (low, high) = (0, nodes.count)
        while low < high {
            let middle = (low + high) / 2
            if nodes[middle].rawValue <= number { low = middle + 1 } else { high = middle }
        }
        return nodes[low...]
    }
}
