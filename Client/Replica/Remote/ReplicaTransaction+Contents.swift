import BasketDatabase
import BasketSupport
import FileProvider

extension ReplicaReader {
    /// Files whose bytes are to be here.
    package func wanted(limit: Int) throws -> [NodeID] {
        // In the order of the index: by `id` alone, SQLite would walk over all nodes to find the few.
        try db.all("SELECT id FROM node WHERE wanted <> 0 ORDER BY wanted, id LIMIT ?", limit) {
            row throws(SQLiteError) in try row[0]
        }
    }
}

extension ReplicaTransaction {
    /// Takes over bytes that came from the provider. The item that came with them says which version they
    /// are.
    /// - Parameters:
    ///   - asked: the content as it was known when they were asked for.
    ///   - program: who waited for them; nil for nobody.
    /// - Returns: false when they came too late: somebody has written to the file here, or the provider has
    ///   told of another version meanwhile, and nobody knows which of the two is the newer.
    package func take(
        _ item: RemoteItem, file: Int64, size: Int64, for id: NodeID, asked: EntryContent,
        by program: String? = nil
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
        // Somebody wants what comes here, but for what was here, and is only brought up to date.
        if before.basis == nil || before.opened == .never { node.opened = now }
        try save(node, before: before)
        try noteVolatile(file)
        try noteHydration(of: id, bytes: size, by: program)
        return true
    }

    /// Bytes that are not needed here any more go.
    /// - Returns: why they stay; nil when none are here now.
    @discardableResult
    package func evict(_ id: NodeID) throws -> ReasonToKeep? {
        guard let before = try reader.node(id) else { return nil }
        if let reason = try reader.reasonToKeep(before) { return reason }
        // A list counts as it was, until the newer one is here.
        if before.basis != nil || before.isWanted,
            before.trees.local?.name == ReplicaReader.ignoreListName
        {
            return .rules
        }
        var node = before
        node.letGoOfContent()
        if node != before { try save(node, before: before) }
        return nil
    }

    /// A folder whose items are all dataless is one whose list is not here, and is asked for by whoever looks into it.
    /// The items stay, with all that is known of them.
    /// - Returns: why it stays; nil when it is not here now.
    package func evictList(of folder: NodeID) throws -> ReasonToKeep? {
        guard folder > .trash, let before = try reader.node(folder), before.kind == .folder,
            before.trees.local != nil, before.isListed
        else { return nil }
        if before.exclusion != .no { return .onlyHere }
        if before.trees.remote == nil || before.turn != nil { return .unsynced }
        if try reader.policy(of: folder) == .downloadEagerlyAndKeepDownloaded { return .pinned }
        try update(folder) { node in
            node.isListed = false
            node.isWanted = false
        }
        return nil
    }

    /// Everything in a folder that is to be here is fetched as soon as there is time; what lies in folders in
    /// it, when their turn has come.
    package func wantChildren(of folder: NodeID) throws {
        var last: String?
        while true {
            let children = try reader.children(of: folder, after: last, limit: 500)
            guard let newest = children.last else { break }
            last = newest.trees.local?.name
            for child in children where child.exclusion == .no || child.trees.remote != nil {
                guard try reader.policy(of: child.id) == .downloadEagerlyAndKeepDownloaded
                else { continue }
                try update(child.id) { node in
                    guard node.kind == .folder || node.residence != .whole else { return }
                    if !node.isWanted { node.want = .kept }
                }
            }
        }
        try update(folder) { $0.isWanted = false }
    }

    /// What lies no more where all is kept here, and nobody has asked for, is not wanted.
    /// - Returns: whether somebody still wants it.
    package func isStillWanted(_ id: NodeID) throws -> Bool {
        guard let node = try reader.node(id), node.want == .kept else { return true }
        if try reader.policy(of: id) == .downloadEagerlyAndKeepDownloaded { return true }
        try update(id) { $0.isWanted = false }
        return false
    }

    /// Whether a node that lies where things are to be here always is not here.
    func isToBeWanted(_ node: StoredNode, before: StoredNode?) throws -> Bool {
        guard let local = node.trees.local, node.trees.remote != nil, !node.isWanted,
            local.kind == .folder || local.kind == .file && node.residence != .whole
        else { return false }
        // What lies in a folder is looked through once; a file is wanted until it is here.
        if local.kind == .folder, let before, before.trees.local?.parent == local.parent,
            before.policy == node.policy, before.trees.remote != nil,
            before.isListed == node.isListed
        {
            return false
        }
        let policy =
            node.policy == .inherited ? try reader.policy(of: local.parent) : node.policy
        return policy == .downloadEagerlyAndKeepDownloaded
    }
}
