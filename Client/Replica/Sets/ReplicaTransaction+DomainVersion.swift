import BasketDatabase

// A version holds for whoever asks for attention from its turn on, until there is another one: so no node needs
// a note of its own.
extension ReplicaTransaction {
    /// The extension has told a version of the domain. One that is smaller than the last one is not heard.
    package func note(domainVersion version: Int64) throws {
        if let last = try reader.domainVersion(), last >= version { return }
        try db.run(
            """
            INSERT OR REPLACE INTO domainVersion (turn, version)
            SELECT turns + 1, ? FROM replica
            """, version)
        // Nobody asks for attention since so long ago.
        try db.run(
            """
            DELETE FROM domainVersion WHERE turn < (
                SELECT max(turn) FROM domainVersion WHERE turn <= coalesce(
                    (SELECT min(turn) FROM node WHERE turn IS NOT NULL), (SELECT turns + 1 FROM replica)))
            """)
        changes.note(nil, in: nil)
    }
}

extension ReplicaReader {
    /// Under which version of the domain it was noticed that a node asks for attention.
    package func domainVersion(of node: StoredNode) throws -> Int64? {
        guard let turn = node.turn else { return try domainVersion() }
        return try db.value(
            "SELECT version FROM domainVersion WHERE turn <= ? ORDER BY turn DESC LIMIT 1", turn)
    }
}
