import BasketDatabase
import FileProvider

extension ReplicaReader {
    /// Files whose bytes are to be here.
    package func wanted(limit: Int) throws -> [NodeID] {
        try db.all("SELECT id FROM node WHERE wanted <> 0 ORDER BY id LIMIT ?", limit) {
            row throws(SQLiteError) in try row[0]
        }
    }
}

extension ReplicaTransaction {
    /// Takes over bytes that came from the provider. The item that came with them says which version they
    /// are.
    /// - Parameter asked: the content as it was known when they were asked for.
    /// - Returns: false when they came too late: somebody has written to the file here, or the provider has
    ///   told of another version meanwhile, and nobody knows which of the two is the newer.
    package func take(
        _ item: RemoteItem, file: Int64, size: Int64, for id: NodeID, asked: EntryContent
    ) throws -> Bool {
        guard let before = try reader.node(id), before.identifier == item.identifier,
            let local = before.trees.local, let synced = before.trees.synced,
            local.content == synced.content, before.residence != .whole,
            [asked, item.content].contains(local.content),
            before.trees.remote.map({ [asked, item.content].contains($0.content) }) != false
        else { return false }
        var node = before
        node.trees.local?.content = item.content
        node.trees.synced?.content = item.content
        if before.trees.remote?.content == synced.content {
            node.trees.remote?.content = item.content
            node.remoteSize = size
        }
        node.size = size
        node.file = file
        node.residence = .whole
        node.basis = nil
        node.isWanted = false
        try save(node, before: before)
        try noteVolatile(file)
        return true
    }

    /// Bytes that are not needed here any more. What only this device has, and what somebody reads, stays.
    package func evict(_ id: NodeID) throws -> Bool {
        guard let before = try reader.node(id), let local = before.trees.local,
            local.kind == .file, !local.content.isEdit, !before.isFrozen, before.turn == nil,
            before.exclusion == .no, before.trees.remote != nil,
            before.residence != .dataless
        else { return false }
        var node = before
        node.letGoOfContent()
        try save(node, before: before)
        return true
    }
}
