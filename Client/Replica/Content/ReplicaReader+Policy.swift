import BasketDatabase
import FileProvider

extension ReplicaReader {
    /// What a file is called that says what stays on a device.
    package static let ignoreListName = ".basketignore"

    /// How a node's content is kept: as the provider says of it, or of the nearest folder of which it says
    /// something.
    package func policy(of id: NodeID) throws -> NSFileProviderContentPolicy {
        guard try hasPolicies() else { return .downloadLazily }
        var (current, steps) = (id, 0)
        while let (raw, parent) = try db.first(
            "SELECT policy, parent FROM node WHERE id = ?", current,
            decode: { row throws(SQLiteError) in (try row[0] as Int, try row[1] as NodeID) })
        {
            if let own = NSFileProviderContentPolicy(rawValue: raw), own != .inherited {
                return own
            }
            (current, steps) = (parent, steps + 1)
            if steps > Self.deepest { throw SQLiteError("node \(id.rawValue) lies in itself") }
        }
        return .downloadLazily
    }

    /// In most domains nobody says anything, and nobody needs to climb.
    func hasPolicies() throws -> Bool {
        try db.value("SELECT EXISTS (SELECT 1 FROM node WHERE policy <> 0)") ?? false
    }

    /// Why a node's content cannot go from here; nil when it can.
    package func reasonToKeep(_ node: StoredNode) throws -> ReasonToKeep? {
        guard let local = node.trees.local, local.kind == .file, node.residence != .dataless else {
            return nil
        }
        if node.exclusion != .no { return .onlyHere }
        if node.trees.remote == nil || local.content.isEdit || node.turn != nil || node.isUploading
        {
            return .unsynced
        }
        if node.isFrozen { return .inUse }
        if local.name == Self.ignoreListName { return .rules }
        if try policy(of: node.id) == .downloadEagerlyAndKeepDownloaded { return .pinned }
        return nil
    }
}
