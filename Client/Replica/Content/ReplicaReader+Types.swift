import BasketDatabase

extension ReplicaReader {
    /// Folders of which the provider says that they are something else, too, from a node up to the root: the
    /// outermost one comes last.
    package func typedFolders(around id: NodeID) throws -> [(id: NodeID, type: String)] {
        guard try hasTypedFolders() else { return [] }
        var folders: [(id: NodeID, type: String)] = []
        var (current, steps) = (id, 0)
        while let (kind, type, parent) = try db.first(
            "SELECT kind, type, parent FROM node WHERE id = ?", current,
            decode: { row throws(SQLiteError) in
                (NodeKind(rawValue: Int(row.integer(0))), row.optionalText(1), row.integer(2))
            })
        {
            if kind == .folder, let type { folders.append((current, type)) }
            (current, steps) = (NodeID(rawValue: parent), steps + 1)
            if steps > Self.deepest { throw SQLiteError("node \(id.rawValue) lies in itself") }
        }
        return folders
    }

    /// In most domains there are none.
    package func hasTypedFolders() throws -> Bool {
        try db.value("SELECT EXISTS (SELECT 1 FROM node WHERE kind = 2 AND type IS NOT NULL)")
            ?? false
    }
}
