import BasketDatabase
import BasketSupport

// Removals that are many at once may be a mistake, and are held back until somebody says that they are none.
extension ReplicaReader {
    /// How many removals wait to be confirmed.
    package func heldRemovals() throws -> Int {
        try db.value("SELECT count(*) FROM removal WHERE isHeld <> 0") ?? 0
    }

    /// Removals that wait to be confirmed, by node, behind that one.
    package func heldRemovals(after id: NodeID, limit: Int) throws -> [StoredNode] {
        try db.all(
            """
            SELECT \(NodeColumn.all) FROM node JOIN removal ON removal.node = node.id
            WHERE removal.isHeld <> 0 AND node.id > ? ORDER BY node.id LIMIT ?
            """, id, limit
        ) { row throws(SQLiteError) in try StoredNode(row) }
    }

    package func isHeld(removalOf id: NodeID) throws -> Bool {
        try db.value("SELECT isHeld FROM removal WHERE node = ?", id) ?? false
    }

    /// How much was removed within so long of the removal of that node, but not more than so much; nil for one
    /// that is none, or that is confirmed.
    package func removals(around id: NodeID, within span: Duration, upTo limit: Int) throws -> Int?
    {
        let moment: Timestamp? = try db.value(
            "SELECT since FROM removal WHERE node = ? AND isConfirmed = 0", id)
        guard let moment else { return nil }
        return try db.value(
            """
            SELECT count(*) FROM (
                SELECT 1 FROM removal WHERE since > ? AND since < ? AND isConfirmed = 0 LIMIT ?
            )
            """, moment - span, moment + span, limit)
    }

    /// How many nodes there are, but not more than so many.
    package func nodeCount(upTo limit: Int) throws -> Int {
        try db.value("SELECT count(*) FROM (SELECT 1 FROM node LIMIT ?)", limit) ?? 0
    }
}

extension ReplicaTransaction {
    func noteRemoval(_ id: NodeID) throws {
        try db.run(
            "INSERT OR REPLACE INTO removal (node, since, isHeld, isConfirmed) VALUES (?, ?, 0, 0)",
            id, now)
    }

    /// Something new has the name of files that were removed before: that is how programs write them anew, and nobody does
    /// that to many by mistake.
    func confirmRemovals(ofFilesAt name: String, in folder: NodeID) throws {
        let files: [NodeID] = try db.all(
            """
            SELECT removal.node FROM node CROSS JOIN removal ON removal.node = node.id
            WHERE node.remoteParent = ? AND node.remoteKey = ? AND node.key IS NULL
                AND node.kind <> \(NodeKind.folder.rawValue) AND removal.isConfirmed = 0
            """, folder, reader.rule.collisionKey(of: name)
        ) { row throws(SQLiteError) in try row[0] }
        for id in files {
            if try reader.isHeld(removalOf: id) {
                try db.run("UPDATE node SET waits = NULL WHERE id = ?", id)
                changes.note(id, in: nil)
            }
            try db.run("UPDATE removal SET isHeld = 0, isConfirmed = 1 WHERE node = ?", id)
        }
    }

    package func hold(removalOf id: NodeID) throws {
        try db.run("UPDATE removal SET isHeld = 1 WHERE node = ?", id)
        // It has a turn still, so that the domain is not said to be at rest; but nobody wakes it.
        try wait(id, for: NodeID(rawValue: 0))
    }

    /// What is held back, and the removed folders that it lay in: they are not held themselves while they wait for what was
    /// in them to go.
    private static let heldWithFolders = """
        WITH RECURSIVE held (id) AS (
            SELECT node FROM removal WHERE isHeld <> 0 UNION
            SELECT removal.node FROM held JOIN node ON node.id = held.id
                JOIN removal ON removal.node = node.parent
        )
        SELECT id FROM held
        """

    /// All that is held back is meant so, and so are the folders that it lay in: nobody wants to be asked about each of
    /// many that lie in each other.
    package func confirmRemovals() throws {
        try db.run(
            "UPDATE node SET waits = NULL WHERE id IN (SELECT node FROM removal WHERE isHeld <> 0)")
        try db.run(
            "UPDATE removal SET isHeld = 0, isConfirmed = 1 WHERE node IN (\(Self.heldWithFolders))"
        )
        changes.note(nil, in: nil)
    }

    /// All that is held back comes back as the provider has it, and so do the folders that it lay in: without them nothing
    /// could come back.
    package func undoRemovals() throws {
        let undone: [NodeID] = try db.all(Self.heldWithFolders) { row throws(SQLiteError) in
            try row[0]
        }
        for id in undone {
            try update(id) { node in
                if node.trees.local == nil { node.trees.synced = nil }
            }
            try db.run("DELETE FROM removal WHERE node = ?", id)
        }
    }

    /// What has been told to the provider, and is long past.
    package func forgetRemovals(before: Timestamp) throws {
        try db.run(
            "DELETE FROM removal WHERE since < ? AND \(RemovalRow.isOver)", before)
    }
}
