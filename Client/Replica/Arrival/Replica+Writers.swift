import BasketDatabase
import BasketSupport

// Programs that have had a file open to write to it since before it came here. What they write goes past everybody
// here, so nothing is sent before they have closed it.
extension Replica {
    /// Looks which of them have.
    /// - Returns: whether some are left.
    package func settleWriters() async throws -> Bool {
        let nodes: [(id: NodeID, file: Int64?)] = try read { reader in
            try reader.db.all(
                "SELECT writer.node, node.file FROM writer CROSS JOIN node ON node.id = writer.node"
            ) { row throws(SQLiteError) in (try row[0], try row[1]) }
        }
        var isLeft = false
        for (id, file) in nodes {
            do {
                if try await !settle(id, file) { isLeft = true }
            } catch let error as FileError {
                // What cannot be looked at is not gone, and its program may have it open still.
                world.log.warning(
                    "who writes to a file cannot be seen", ["error": .text("\(error)")])
                isLeft = true
            }
        }
        return isLeft
    }

    /// - Returns: false for one that has it open still.
    private func settle(_ id: NodeID, _ file: Int64?) async throws -> Bool {
        guard let file, try contents.isThere(file) else {
            try await write { try $0.endWriter(of: id, size: nil, modified: nil) }
            return true
        }
        let path = contents.path(file)
        if try world.files.isWritten(path) { return false }
        let (size, modified) = try (world.files.size(path), world.files.modified(path))
        try await write { transaction in
            let isSame = try transaction.reader.node(id)?.file == file
            try transaction.endWriter(
                of: id, size: isSame ? size : nil, modified: isSame ? modified : nil)
        }
        return true
    }
}

extension ReplicaReader {
    /// Whether a program writes to a file that nobody here has opened for it.
    package func hasWriter(_ id: NodeID) throws -> Bool {
        try db.value("SELECT 1 FROM writer WHERE node = ?", id, of: Int.self) != nil
    }
}

extension ReplicaTransaction {
    func noteWriter(of id: NodeID) throws {
        try db.run("INSERT OR IGNORE INTO writer (node) VALUES (?)", id)
        if let file = try reader.node(id)?.file { try noteVolatile(file) }
    }

    /// - Parameters: what has become of the file, if it is still the node's.
    fileprivate func endWriter(of id: NodeID, size: Int64?, modified: Timestamp?) throws {
        try db.run("DELETE FROM writer WHERE node = ?", id)
        guard let before = try reader.node(id), before.trees.local?.content.isEdit == true else {
            return
        }
        if let file = before.file { try noteVolatile(file) }
        var node = before
        if let size, let modified, size != before.size || node.hasOlderDate(than: modified) {
            node.size = size
            node.trees.local?.attributes.modified = modified
            try save(node, before: before)
        }
        try touch(id)
    }
}

extension StoredNode {
    fileprivate func hasOlderDate(than moment: Timestamp) -> Bool {
        trees.local?.attributes.modified.map { $0 < moment } ?? true
    }
}
