import FileProviderReplica

extension ReplicaReader {
    /// So far up is looked for what folders pass on.
    private static let highest = 1000

    /// An item as rules see it; nil for what is not here, or what the provider has not named yet.
    func ruleItem(_ id: NodeID) throws -> RuleItem? {
        guard let node = try node(id), let item = try item(node) else { return nil }
        var inherited: [String: FactValue] = [:]
        var current = node
        for _ in 0..<Self.highest {
            guard current.id != .root, current.id != .trash,
                let place = current.trees.local ?? current.trees.remote,
                let folder = try self.node(place.parent)
            else { break }
            if folder.facts != nil {
                let facts = ItemFacts(stored: folder.facts)
                for (key, value) in facts.userInfo where key.hasSuffix(RuleItem.mark) {
                    if inherited[key] == nil { inherited[key] = value }
                }
            }
            current = folder
        }
        return RuleItem(item: item, facts: ItemFacts(stored: node.facts), inherited: inherited)
    }
}
