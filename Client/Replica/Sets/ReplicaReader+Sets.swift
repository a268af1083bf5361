import BasketDatabase
import FileProvider

extension ReplicaReader {
    /// Another one after every start from nothing.
    package func identity() throws -> [UInt8] {
        try db.value("SELECT identity FROM replica") ?? []
    }

    /// In whose name the provider was asked to make a node: an earlier replica's, perhaps, whose database is gone.
    package func identity(ofWhoAskedFor id: NodeID) throws -> [UInt8] {
        try db.value(
            "SELECT coalesce((SELECT identity FROM former WHERE node = ?), identity) FROM replica",
            id) ?? []
    }

    package func state(of set: ItemSet) throws -> ItemSetState {
        try db.first(
            "SELECT rank, told, forgotten, isFull, version FROM itemSet WHERE kind = ?",
            set.rawValue
        ) { row throws(SQLiteError) in
            ItemSetState(
                rank: try row[0], told: try row[1], forgotten: try row[2], isFull: try row[3],
                version: try row[4])
        } ?? ItemSetState(rank: 0, told: 0, forgotten: 0, isFull: false, version: nil)
    }

    /// What is in a set, behind a position.
    package func members(
        of set: ItemSet, after position: Int64, limit: Int
    ) throws -> [ItemSetMember] {
        switch set {
        case .materialised: try materialised(after: position, limit: limit)
        case .pending:
            try changes(of: set, after: position, limit: limit, isMembersOnly: true)
        }
    }

    private func materialised(after position: Int64, limit: Int) throws -> [ItemSetMember] {
        let nodes = try db.all(
            """
            SELECT \(NodeColumn.all) FROM node INDEXED BY node_materialised
            WHERE key IS NOT NULL AND (residence <> 0 OR listed <> 0) AND id > ?
                AND identifier IS NOT NULL
            ORDER BY id LIMIT ?
            """, position, limit
        ) { row throws(SQLiteError) in try StoredNode(row) }
        return nodes.compactMap { node in
            node.materialisedName.map {
                ItemSetMember(identifier: $0, node: node, position: node.id.rawValue)
            }
        }
    }

    /// What has come into a set or gone from it, each item once, at its last change.
    package func changes(
        of set: ItemSet, after rank: Int64, limit: Int, isMembersOnly: Bool = false
    ) throws -> [ItemSetMember] {
        let rows = try db.all(
            """
            SELECT identifier, isMember, rank FROM setChange
            WHERE kind = ? AND rank > ? AND isMember >= ? ORDER BY rank LIMIT ?
            """, set.rawValue, rank, isMembersOnly, limit
        ) { row throws(SQLiteError) in
            (
                identifier: NSFileProviderItemIdentifier(rawValue: try row[0]),
                isMember: try row[1] as Bool, rank: try row[2] as Int64
            )
        }
        return try rows.map { row in
            ItemSetMember(
                identifier: row.identifier,
                node: row.isMember ? try node(identifier: row.identifier) : nil, position: row.rank)
        }
    }

    /// The domain's version as the extension has last told it.
    package func domainVersion() throws -> Int64? {
        try db.value("SELECT version FROM domainVersion ORDER BY turn DESC LIMIT 1")
    }

    /// Whether a refresh of the pending set would change anything, now or later.
    package func needsRefresh() throws -> Bool {
        try db.value(
            """
            SELECT EXISTS (\(PendingSetRow.gone)) OR EXISTS (\(PendingSetRow.coming))
                OR EXISTS (
                    SELECT 1 FROM itemSet WHERE kind = 2
                        AND version IS NOT (
                            SELECT version FROM domainVersion ORDER BY turn DESC LIMIT 1)
                        AND EXISTS (SELECT 1 FROM setChange WHERE kind = 2 AND isMember = 1))
            """) ?? false
    }
}
