import BasketDatabase
import BasketSupport
import FileProvider

// A tree that was on the disk becomes nodes that are new here.
extension ReplicaReader {
    /// Whether a tree is being taken in.
    package func isArriving() throws -> Bool {
        try db.value("SELECT isArriving FROM replica") ?? false
    }

    /// What a crash may have left on its way.
    package func arrivals(after node: NodeID, limit: Int) throws -> [ArrivalRow] {
        try db.all(
            "SELECT \(ArrivalRow.columns) FROM arrival WHERE node > ? ORDER BY node LIMIT ?", node,
            limit
        ) { row throws(SQLiteError) in try ArrivalRow(row) }
    }
}

extension ReplicaTransaction {
    /// Until it ends, the provider is not called: what it would be told of is not all there.
    func beginArrival() throws {
        try db.run("UPDATE replica SET isArriving = 1, isImporting = 1")
        // Nobody needs to ask the provider before people can work in it.
        try update(.root) { $0.isListed = true }
    }

    func endArrival() throws {
        try db.run("UPDATE replica SET isArriving = 0")
        changes.note(nil, in: nil)
    }

    /// Gives numbers to what is to be moved into the replica. Only when that is durable, anything is moved; and the
    /// journal knows of it as well: what has been moved says no more what it is called.
    func claim(_ entries: [Entry]) throws -> [ArrivalRow] {
        try entries.map { entry in
            let row = ArrivalRow(
                node: try makeNode(NodeTrees()).id, folder: entry.parent, name: entry.name,
                file: entry.kind == .file ? try nextFile() : nil, entry: entry)
            try row.put(into: db)
            unsent.note(claimed: row)
            return row
        }
    }

    /// It is in its place, and is seen from now on; and it is offered to the provider, which may have it.
    /// - Parameter size: of a file.
    func settle(_ row: ArrivalRow, size: Int64) throws {
        try forgetArrival(row)
        var entry = row.entry
        // Its folder may have been removed meanwhile.
        let hasFolder = try reader.node(row.folder)?.trees.local?.kind == .folder
        entry.parent = hasFolder ? row.folder : .root
        entry.name = try reader.freeName(like: row.name, in: entry.parent)
        if entry.kind == .file { entry.content = .edit(try nextEdit()) }
        var node = StoredNode(id: row.node, trees: NodeTrees(local: entry))
        node.isListed = entry.kind == .folder
        if entry.kind == .file {
            node.file = row.file
            node.size = size
            node.residence = .whole
            // Somebody may have it open still, from before it was moved.
            node.isFrozen = true
        }
        try insert(node)
        try db.run("INSERT OR IGNORE INTO offered (node, isArrival) VALUES (?, 1)", node.id)
    }

    func forgetArrival(_ row: ArrivalRow) throws {
        try db.run("DELETE FROM arrival WHERE node = ?", row.node)
        unsent.note(arrived: row.node)
    }
}
