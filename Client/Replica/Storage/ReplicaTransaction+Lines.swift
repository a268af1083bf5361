import BasketDatabase

// What would be next for some nodes has to stand in a line, and that is full. They wait outside, where nobody has to
// look at them again before there is room: they may be as many as there are nodes.
extension ReplicaReader {
    /// Those that wait outside of a line, the one that asked first first.
    package func waiting(outside line: Int, limit: Int) throws -> [NodeID] {
        try db.all(
            "SELECT id FROM node WHERE waits = ? ORDER BY turn LIMIT ?", NodeID(line: line), limit
        ) { row throws(SQLiteError) in try row[0] }
    }

    /// Whether somebody waits outside of a line who has asked before a node did.
    package func hasEarlier(than id: NodeID, outside line: Int) throws -> Bool {
        try db.value(
            """
            SELECT EXISTS (
                SELECT 1 FROM node WHERE waits = ? AND turn < (SELECT turn FROM node WHERE id = ?)
            )
            """, NodeID(line: line), id) ?? false
    }
}

extension ReplicaTransaction {
    /// Until it is let in, or something of it changes.
    /// - Parameter line: a number from one on.
    package func wait(_ id: NodeID, outside line: Int) throws {
        try wait(id, for: NodeID(line: line))
    }

    /// There is room for them.
    package func letIn(_ ids: [NodeID]) throws {
        for id in ids { try db.run("UPDATE node SET waits = NULL WHERE id = ? AND waits < 0", id) }
    }
}

extension NodeID {
    /// What is waited for where it is a line: no node has such a number.
    fileprivate init(line: Int) {
        self.init(rawValue: Int64(-line))
    }
}
