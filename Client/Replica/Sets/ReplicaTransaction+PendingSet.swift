import BasketDatabase
import FileProvider

// What waits is in the set from its second refresh on: turns are given in their order, so that those which were
// there at the refresh before have waited for all the time between.
extension ReplicaTransaction {
    /// Brings the pending set up to date.
    /// - Parameter limit: so many items the set holds. Others come in when there is room.
    /// - Returns: whether something waits that belongs into it soon.
    package func refreshPendingSet(limit: Int) throws -> Bool {
        try removeSettled()
        let mark: Int64 = try db.value("SELECT mark FROM itemSet WHERE kind = 2") ?? 0
        let room = try limit - memberCount()
        let coming = try coming(limit: max(0, room) + 1)
        let due = coming.prefix { $0.turn <= mark }
        for row in due.prefix(max(0, room)) {
            try note(row.identifier, row.id, in: .pending, isMember: true)
        }
        try noteRefresh(isFull: due.count > max(0, room))
        return coming.count > due.count && due.count < room
    }

    private func removeSettled() throws {
        let gone = try db.all(
            "SELECT node, identifier FROM setChange WHERE kind = 2 AND identifier IN (\(PendingSetRow.gone))"
        ) {
            row throws(SQLiteError) in (try row[0] as NodeID, try row[1] as String)
        }
        for (id, identifier) in gone {
            try note(
                NSFileProviderItemIdentifier(rawValue: identifier), id, in: .pending,
                isMember: false)
        }
    }

    private func memberCount() throws -> Int {
        try db.value("SELECT count(*) FROM setChange WHERE kind = 2 AND isMember = 1") ?? 0
    }

    private struct Coming {
        let identifier: NSFileProviderItemIdentifier
        let id: NodeID
        let turn: Int64
    }

    private func coming(limit: Int) throws -> [Coming] {
        try db.all("\(PendingSetRow.coming) LIMIT ?", limit) { row throws(SQLiteError) in
            Coming(
                identifier: NSFileProviderItemIdentifier(rawValue: try row[0]), id: try row[1],
                turn: try row[2])
        }
    }

    private func noteRefresh(isFull: Bool) throws {
        let version = try reader.domainVersion()
        if try reader.state(of: .pending).version != version, try memberCount() > 0 {
            try nextRank(of: .pending)
        }
        try db.run(
            """
            UPDATE itemSet SET mark = (SELECT turns FROM replica), isFull = ?, version = ?
            WHERE kind = 2
            """, isFull, version)
    }
}
