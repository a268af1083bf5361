// Two things under one identifier.
extension ReplicaTransaction {
    /// What the provider has becomes a node of its own, and this one has lost its counterpart there: it is of
    /// another kind, or one of the two is not to take the other with it.
    package func split(_ before: StoredNode) throws {
        var node = before
        guard let remote = before.trees.remote else { return }
        node.identifier = nil
        node.trees.remote = nil
        if node.exclusion != .no { node.loseCounterpart() }
        try save(node, before: before)
        var other = try makeNode(NodeTrees(remote: remote))
        other.identifier = before.identifier
        other.remoteMetadata = before.remoteMetadata
        other.remoteSize = before.remoteSize
        other.size = before.remoteSize
        other.capabilities = before.capabilities
        other.policy = before.policy
        other.facts = before.facts
        other.isListed = before.isListed
        try insert(other)
        try succeed(before.id, by: other.id)
        // What lies in a folder there, lies in the one that has its identifier now.
        for child in try nodesBelow(before.id) where child.trees.remote?.parent == before.id {
            try update(child.id) { $0.trees.remote?.parent = other.id }
        }
    }
}
