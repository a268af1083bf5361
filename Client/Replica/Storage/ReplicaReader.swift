import BasketDatabase
import BasketSupport
import FileProvider

/// What can be asked of a replica, in one state of it.
package struct ReplicaReader {
    package let db: Connection
    package let rule: CaseRule

    // MARK: Nodes

    package func node(_ id: NodeID) throws -> StoredNode? {
        try one("node.id = ?", id)
    }

    package func node(
        identifier: NSFileProviderItemIdentifier
    ) throws -> StoredNode? {
        try one("node.identifier = ?", identifier.rawValue)
    }

    package func id(of identifier: NSFileProviderItemIdentifier) throws -> NodeID? {
        try db.value("SELECT id FROM node WHERE identifier = ?", identifier.rawValue)
    }

    /// Who has the name in the local tree.
    package func child(_ name: String, of parent: NodeID) throws -> StoredNode? {
        try one("node.parent = ? AND node.key = ?", parent, rule.collisionKey(of: name))
    }

    /// What lies in a folder here, by name, behind that one.
    package func children(
        of parent: NodeID, after name: String? = nil, limit: Int
    ) throws -> [StoredNode] {
        let key = name.map { rule.collisionKey(of: $0) } ?? []
        return try db.all(
            """
            SELECT \(NodeColumn.all) FROM node
            WHERE node.parent = ? AND node.key > ? ORDER BY node.key LIMIT ?
            """, parent, key, limit
        ) { row throws(SQLiteError) in try StoredNode(row) }
    }

    /// What lies in a folder here, in no order.
    package func childNumbers(of parent: NodeID) throws -> [NodeID] {
        try db.all("SELECT id FROM node WHERE parent = ? AND key IS NOT NULL", parent) {
            row throws(SQLiteError) in try row[0]
        }
    }

    /// What the provider has in a folder, as far as it is known, and how it calls that.
    package func itemsThere(
        in folder: NodeID
    ) throws -> [NodeID: NSFileProviderItemIdentifier] {
        let pairs: [(NodeID, String)] = try db.all(
            """
            SELECT id, identifier FROM node
            WHERE parent = ?1 AND key IS NOT NULL AND remoteParent IS NULL
                AND trees & 4 <> 0 AND identifier IS NOT NULL
            UNION ALL
            SELECT id, identifier FROM node WHERE remoteParent = ?1 AND identifier IS NOT NULL
            """, folder
        ) { row throws(SQLiteError) in (try row[0] as NodeID, try row[1] as String) }
        return Dictionary(
            uniqueKeysWithValues: pairs.map { ($0.0, NSFileProviderItemIdentifier($0.1)) })
    }

    package func hasChildren(_ parent: NodeID) throws -> Bool {
        try db.value(
            "SELECT 1 FROM node WHERE parent = ? AND key IS NOT NULL LIMIT 1", parent, of: Int.self
        ) != nil
    }

    /// Whether a node lies somewhere below a folder, or is it.
    package func lies(_ id: NodeID, below folder: NodeID) throws -> Bool {
        var current = id
        for _ in 0..<Self.deepest {
            if current == folder { return true }
            guard current != .root, current != .trash,
                let parent = try db.value(
                    "SELECT parent FROM node WHERE id = ?", current, of: NodeID.self)
            else { return false }
            current = parent
        }
        throw SQLiteError("node \(id.rawValue) lies in itself")
    }

    /// The folders that a node lies in, from its own one up to the root.
    package func folders(around id: NodeID) throws -> [NodeID] {
        var folders: [NodeID] = []
        var current = id
        while let parent = try db.value(
            "SELECT parent FROM node WHERE id = ?", current, of: NodeID.self)
        {
            folders.append(parent)
            if parent == .root || parent == .trash { break }
            guard folders.count < Self.deepest else {
                throw SQLiteError("node \(id.rawValue) lies in itself")
            }
            current = parent
        }
        return folders
    }

    /// Deeper than any tree can be that somebody makes.
    static let deepest = 100_000

    /// The names from the root down to a node, as they are here.
    package func path(of id: NodeID) throws -> [String] {
        var names: [String] = []
        var current = id
        while current != .root, current != .trash, names.count < Self.deepest,
            let (name, parent) = try db.first(
                "SELECT name, parent FROM node WHERE id = ?", current,
                decode: { row throws(SQLiteError) in
                    (try row[0] as String, try row[1] as NodeID)
                })
        {
            names.append(name)
            current = parent
        }
        return names.reversed()
    }

    /// What stays aside because it is nowhere else: newest first.
    package func rescued(limit: Int) throws -> [Rescued] {
        try db.all(
            """
            SELECT file, path, size, reason, since FROM rescued ORDER BY since DESC LIMIT ?
            """, limit, decode: Self.rescued)
    }

    // MARK: Attention

    /// Those that ask for attention and wait for nobody, the one that asked first first. Those that are in
    /// trouble come when it is time to try again.
    package func nextTurns(at now: Timestamp, limit: Int) throws -> [NodeID] {
        try db.all(
            """
            SELECT node.id FROM node LEFT JOIN trouble ON trouble.node = node.id
            WHERE turn IS NOT NULL AND waits IS NULL
                AND (trouble.node IS NULL OR trouble.retry NOT BETWEEN ?1 + 1 AND ?2)
            ORDER BY turn LIMIT ?3
            """, now, now + Trouble.longestWait, limit
        ) { row throws(SQLiteError) in try row[0] }
    }

    /// When the next one that is in trouble, and waits for nobody else, is tried again.
    package func nextRetry(after now: Timestamp) throws -> Timestamp? {
        try db.value(
            """
            SELECT retry FROM trouble JOIN node ON node.id = trouble.node
            WHERE retry > ?1 AND retry <= ?2 AND waits IS NULL AND turn IS NOT NULL
            ORDER BY retry LIMIT 1
            """, now, now + Trouble.longestWait)
    }

    /// All nodes, for those who look for a mistake.
    package func all() throws -> [StoredNode] {
        try db.all("SELECT \(NodeColumn.all) FROM node ORDER BY id") {
            row throws(SQLiteError) in try StoredNode(row)
        }
    }

    /// How many nodes are not where they should be.
    package func pendingCount() throws -> Int {
        try db.value("SELECT count(*) FROM node WHERE turn IS NOT NULL") ?? 0
    }

    package func trouble(of node: NodeID) throws -> Trouble? {
        try db.first(
            """
            SELECT domain, code, message, since, attempts, retry FROM trouble WHERE node = ?
            """, node
        ) { row throws(SQLiteError) in try Trouble(row) }
    }

    /// Those that something is wrong with, the longest first.
    package func troubled(limit: Int) throws -> [StoredNode] {
        try db.all(
            """
            SELECT \(NodeColumn.all) FROM node JOIN trouble ON trouble.node = node.id
            WHERE node.turn IS NOT NULL ORDER BY trouble.since, node.id LIMIT ?
            """, limit
        ) { row throws(SQLiteError) in try StoredNode(row) }
    }

    /// How many files stay aside.
    package func rescuedCount() throws -> Int {
        try db.value("SELECT count(*) FROM rescued") ?? 0
    }

    // MARK: Parts

    func one(_ condition: String, _ values: any SQLiteValue...) throws -> StoredNode? {
        try db.first(
            "SELECT \(NodeColumn.all) FROM node WHERE \(condition)", values: values
        ) { row throws(SQLiteError) in try StoredNode(row) }
    }
}
