import BasketDatabase
import FileProvider
import FileProviderReplica
import Synchronization

/// A node of the local tree, and where it lies.
typealias PlacedNode = (path: String, node: StoredNode)

// The tree is looked at far more often than it changes.
extension Device {
    var treeState: TreeState { TreeState(start: starts, changes: replica.changes.count) }

    /// All nodes of the local tree, parents before children.
    func nodes() throws -> [PlacedNode] {
        let now = treeState
        if let last = lastTree.withLock({ $0 }), last.state == now { return last.nodes }
        let nodes = try walk()
        lastTree.withLock { $0 = (now, nodes) }
        return nodes
    }

    private func walk() throws -> [PlacedNode] {
        try replica.read { reader in
            var found: [PlacedNode] = []
            func walk(_ folder: NodeID, _ prefix: String) throws {
                for child in try reader.children(of: folder, limit: 10_000) {
                    // What stays here may have taken the name that it has elsewhere.
                    let isBounced = child.trees.local?.isBounced == true
                    let entry = isBounced ? child.trees.synced : child.trees.local
                    // In the trash, several may have one name.
                    let number =
                        folder == .trash ? (child.identifier?.rawValue ?? "") + " " : ""
                    let path = prefix + number + (entry?.name ?? "?")
                    found.append((path, child))
                    if child.kind == .folder { try walk(child.id, path + "/") }
                }
            }
            try walk(.root, "")
            try walk(.trash, "trash:")
            return found
        }
    }

    /// Folders that somebody can work in.
    func listedFolders() throws -> [NodeID] {
        let isRootListed = try replica.read { try $0.node(.root)?.isListed == true }
        return try (isRootListed ? [NodeID.root] : [])
            + nodes().filter { $0.node.kind == .folder && $0.node.isListed }.map(\.node.id)
    }

    /// What does not lie in a folder that is there, up to the root.
    func orphans() throws -> [NodeID] {
        try replica.read { reader in
            try reader.db.all(
                """
                WITH RECURSIVE tree (id) AS (
                    VALUES (1), (2) UNION
                    SELECT node.id FROM node JOIN tree ON node.parent = tree.id
                    WHERE node.key IS NOT NULL
                )
                SELECT id FROM node WHERE key IS NOT NULL AND id NOT IN tree
                """
            ) { row throws(SQLiteError) in try row[0] }
        }
    }
}
