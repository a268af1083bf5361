import BasketDatabase
import FileProvider

extension ReplicaReader {
    /// Nodes below a folder that were changed here and that the provider has not acknowledged: such as both
    /// sides had in it, and such as are new in it.
    package func changesHere(below folder: NodeID) throws -> [NodeID] {
        try changesHere(among: asking(), below: folder).map(\.node)
    }

    /// All that ask for attention.
    package func asking() throws -> [AwaitedChange] {
        try db.all("SELECT id, file FROM node WHERE turn IS NOT NULL") { row throws(SQLiteError) in
            AwaitedChange(node: try row[0], file: row.optionalInteger(1))
        }
    }

    /// Those of them that are among these changes. What was saved by way of another file has that one's place.
    package func changesHere(
        among changes: some Sequence<AwaitedChange>, below folder: NodeID
    ) throws -> [AwaitedChange] {
        try changes.compactMap { change in
            if let same = try changeHere(change.node, below: folder) { return same }
            guard let file = change.file, let heir = try holder(of: file), heir != change.node
            else { return nil }
            return try changeHere(heir, below: folder)
        }
    }

    private func changeHere(_ id: NodeID, below folder: NodeID) throws -> AwaitedChange? {
        guard id != folder, let node = try node(id), node.turn != nil, node.isChangedHere,
            let parent = node.trees.synced?.parent ?? node.trees.local?.parent,
            try lies(parent, below: folder)
        else { return nil }
        return AwaitedChange(node: id, file: node.file)
    }

    private func holder(of file: Int64) throws -> NodeID? {
        try db.value("SELECT id FROM node WHERE file = ?", file)
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
