import BasketDatabase
import FileProvider

extension ReplicaTransaction {
    /// Changes that are older than that many others are forgotten: who has not asked for so long is told that
    /// everything may have changed.
    private static let mostChanges: Int64 = 10_000

    /// Notes that a node has come into the set of what is materialised, or gone from it.
    func noteMaterialised(_ node: StoredNode?, before: StoredNode?) throws {
        let (old, new) = (before?.materialisedName, node?.materialisedName)
        guard old != new else { return }
        guard try reader.stage() == .following else {
            // While everything is told, most of it comes at once: that is told as a whole.
            return try noteStale()
        }
        let id = node?.id ?? before?.id
        if let id, let old { try note(old, id, in: .materialised, isMember: false) }
        if let id, let new { try note(new, id, in: .materialised, isMember: true) }
    }

    func noteStale() throws {
        try db.run("UPDATE itemSet SET isStale = 1 WHERE kind = 1 AND isStale = 0")
    }

    /// Everything has been told: who follows what is materialised looks at all of it again.
    func renewStaleSets() throws {
        try db.run(
            """
            UPDATE itemSet SET rank = rank + 1, forgotten = rank + 1, isStale = 0
            WHERE isStale <> 0
            """)
    }

    func note(
        _ identifier: NSFileProviderItemIdentifier, _ id: NodeID, in set: ItemSet, isMember: Bool
    ) throws {
        try db.run(
            """
            INSERT OR REPLACE INTO setChange (kind, identifier, node, rank, isMember)
            VALUES (?, ?, ?, ?, ?)
            """, set.rawValue, identifier.rawValue, id, nextRank(of: set), isMember)
    }

    @discardableResult
    func nextRank(of set: ItemSet) throws -> Int64 {
        try db.value(
            "UPDATE itemSet SET rank = rank + 1 WHERE kind = ? RETURNING rank", set.rawValue) ?? 0
    }

    /// The extension has been told that a set has changed.
    package func noteTold(_ set: ItemSet, upTo rank: Int64) throws {
        try db.run("UPDATE itemSet SET told = ? WHERE kind = ?", rank, set.rawValue)
        let last = rank - Self.mostChanges
        guard try last > reader.state(of: set).forgotten else { return }
        // What is pending is told from these rows, however long it has been.
        try db.run(
            "DELETE FROM setChange WHERE kind = ?1 AND rank <= ?2 AND (kind = 1 OR isMember = 0)",
            set.rawValue, last)
        try db.run("UPDATE itemSet SET forgotten = ? WHERE kind = ?", last, set.rawValue)
    }
}
