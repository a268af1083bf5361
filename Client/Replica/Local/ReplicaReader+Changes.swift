import BasketDatabase
import FileProvider

extension ReplicaReader {
    /// Nodes below a folder that were changed here and that the provider has not acknowledged: such as both
    /// sides had in it, and such as are new in it.
    package func changesHere(below folder: NodeID) throws -> [NodeID] {
        try changesHere(among: asking(), below: folder)
    }

    /// All that ask for attention.
    package func asking() throws -> [NodeID] {
        try db.all("SELECT id FROM node WHERE turn IS NOT NULL") { row throws(SQLiteError) in
            try row[0]
        }
    }

    /// Those of some nodes that are among these changes.
    package func changesHere(
        among nodes: some Sequence<NodeID>, below folder: NodeID
    ) throws -> [NodeID] {
        try nodes.filter { id in
            guard id != folder, let node = try node(id), node.turn != nil, node.isChangedHere,
                let parent = node.trees.synced?.parent ?? node.trees.local?.parent
            else { return false }
            return try lies(parent, below: folder)
        }
    }
}

extension StoredNode {
    /// Something was done to it here that the provider does not know yet.
    fileprivate var isChangedHere: Bool {
        switch (trees.local, trees.synced) {
        case (nil, nil): false
        case (.some, nil): exclusion == .no && trees.remote == nil
        case (nil, .some): trees.remote != nil || isUnanswered
        case (.some, .some): !changesHere.isEmpty
        }
    }
}
