import BasketDatabase
import BasketSupport

extension ReplicaReader {
    /// What stays aside, by file, behind that one.
    package func rescued(after file: Int64, limit: Int) throws -> [Rescued] {
        try db.all(
            """
            SELECT file, path, size, reason, since FROM rescued
            WHERE file > ? ORDER BY file LIMIT ?
            """, file, limit, decode: Self.rescued)
    }

    /// What of it is in that file; nil for nothing.
    package func rescued(_ file: Int64) throws -> Rescued? {
        try db.first(
            "SELECT file, path, size, reason, since FROM rescued WHERE file = ?", file,
            decode: Self.rescued)
    }

    static func rescued(_ row: borrowing Row) throws(SQLiteError) -> Rescued {
        Rescued(
            file: try row[0], path: try row[1], size: try row[2], reason: try row[3],
            since: try row[4])
    }

    func isDiscarded(_ file: Int64) throws -> Bool {
        try db.value("SELECT 1 FROM discarded WHERE file = ?", file, of: Int.self) != nil
    }

    /// How many want a file's bytes for themselves.
    package func holders(of file: Int64) throws -> Int {
        try db.value(
            """
            SELECT (SELECT count(*) FROM node WHERE file = ?1)
                + (SELECT count(*) FROM rescued WHERE file = ?1)
                + (SELECT count(*) FROM found WHERE file = ?1)
            """, file) ?? 0
    }
}

extension Replica {
    /// Somebody has had the content files for others' eyes: they are the replica's alone again, and what is noted at
    /// them is there.
    package func takeBackContents() async throws {
        var last = NodeID(rawValue: 0)
        while true {
            let after = last
            let nodes = try read { try $0.nodesWithFiles(after: after, limit: 500) }
            guard let newest = nodes.last else { return }
            last = newest.id
            for node in nodes {
                do {
                    try takeBack(node)
                } catch {
                    world.log.warning(
                        "a file is not the replica's alone again",
                        ["node": .number(node.id.rawValue), "error": .text("\(error)")])
                }
            }
        }
    }

    private func takeBack(_ node: StoredNode) throws {
        guard let file = node.file, try contents.isThere(file) else { return }
        try world.files.setMode(0o600, at: contents.path(file))
        if node.hasOnlyCopy { try contents.set(read { try $0.mark(of: node) }, at: file) }
    }
}

extension ReplicaReader {
    func nodesWithFiles(after id: NodeID, limit: Int) throws -> [StoredNode] {
        try db.all(
            """
            SELECT \(NodeColumn.all) FROM node
            WHERE node.id > ? AND node.file IS NOT NULL ORDER BY node.id LIMIT ?
            """, id, limit
        ) { row throws(SQLiteError) in try StoredNode(row) }
    }
}
