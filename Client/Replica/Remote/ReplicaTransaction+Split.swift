import BasketSupport

// Two things under one identifier.
extension ReplicaTransaction {
    /// What was written here becomes a file of its own beside the item, which is what somebody else has made of it.
    package func setAsideConflict(_ before: StoredNode) throws {
        guard let synced = before.trees.synced, before.trees.local != nil else { return }
        var node = before
        node.trees.local?.content = synced.content
        node.trees.local?.attributes.modified = synced.attributes.modified
        node.letGoOfContent()
        node.size = before.remoteSize
        // Its file goes on as another one's.
        try save(node, before: before.with { $0.file = nil })
        try keepContent(of: before)
    }

    /// The bytes that a node had become a file of their own beside it, once it has others.
    package func keepContent(of before: StoredNode) throws {
        guard let local = before.trees.local, let file = before.file else { return }
        let day = String(now.rfc3339.prefix(10))
        let name = ConflictName(local.name, origin: machine, day: day, rule: rule).text
        // Whoever it was handed to may be reading it still.
        try keep(file, size: before.size, beside: local, as: name, isFrozen: true)
        // That it was not durable was forgotten with the file's first node.
        try noteVolatile(file)
    }

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
        other.remoteContentVersion = before.remoteContentVersion
        other.remoteSize = before.remoteSize
        other.size = before.remoteSize
        other.capabilities = before.capabilities
        other.policy = before.policy
        other.isUploading = before.isUploading
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
