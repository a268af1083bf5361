import FileProviderReplica

extension FuseReply {
    /// The nodes that the kernel is told of.
    var toldNodes: [NodeID] {
        let numbers: [UInt64] =
            switch self {
            case .entry(let entry), .created(let entry, _): entry.status.map { [$0.node] } ?? []
            case .status(let status, _): [status.node]
            case .listing(let listing) where listing.withStatus:
                listing.elements.compactMap(\.entry.status?.node)
            default: []
            }
        return numbers.map { NodeID(rawValue: Int64(bitPattern: $0)) }
    }
}
