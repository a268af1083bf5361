import FileProvider
import FileProviderReplica

// What is lost with a database must not be what only this device knew.
extension Device {
    /// What nobody else knows, in words.
    func unsent() throws -> [NodeID: String] {
        var words: [NodeID: String] = [:]
        for node in try replica.read({ try $0.all() }) where Self.isUnsent(node) {
            words[node.id] = Self.words(of: node)
        }
        return words
    }

    /// What of that is not here as it was.
    func losses(of unsent: [NodeID: String]) throws -> [String] {
        try unsent.sorted { $0.key < $1.key }.compactMap { id, words in
            let now = try replica.read { try $0.node(id) }.map(Self.words)
            if now == words { return nil }
            return "\(name) had #\(id.rawValue) \(words), and has \(now ?? "nothing")"
        }
    }

    /// Said once more, in other words than those that decide what is written down.
    private static func isUnsent(_ node: StoredNode) -> Bool {
        guard var local = node.trees.local else {
            return node.trees.synced != nil && (node.trees.remote != nil || node.isUnanswered)
        }
        guard let synced = node.trees.synced, node.exclusion == .no, !node.isUnanswered else {
            return true
        }
        if local.isBounced { local.name = synced.name }
        local.isBounced = false
        return local != synced
    }

    /// What its person has made of a node, and of what.
    private static func words(of node: StoredNode) -> String {
        func words(_ entry: Entry?) -> String {
            guard var entry else { return "-" }
            // Somebody may be writing to it, and its file's date is the one that holds.
            if entry.content.isEdit { entry.attributes.modified = nil }
            return "\(entry)"
        }
        return """
            \(node.identifier?.rawValue ?? "new") \(node.exclusion) \
            local \(words(node.trees.local)) of \(words(node.trees.synced))
            """
    }
}
