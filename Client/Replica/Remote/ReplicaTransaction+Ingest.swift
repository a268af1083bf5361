import BasketDatabase
import BasketSupport
import FileProvider
import Foundation

// What the provider tells.
extension ReplicaTransaction {
    /// Takes in what the provider says of an item. What that leads to, if anything, is planned later; only
    /// what is new, and in nobody's way, appears at once: that is nearly all of a first enumeration.
    /// - Parameters:
    ///   - isListed: whether a new folder's children are told without being asked for.
    ///   - isShown: whether what is new may appear at once.
    /// - Returns: its node; nil for what lies in a folder that nobody knows.
    @discardableResult
    package func ingest(
        _ item: RemoteItem, isListed: Bool, isShown: Bool = true
    ) throws -> NodeID? {
        if item.identifier == .rootContainer || item.identifier == .trashContainer {
            return try ingestPlace(item)
        }
        guard let parent = try reader.id(of: item.parent) else {
            return nil
        }
        if let known = try reader.node(identifier: item.identifier) {
            try noteSeen(known.id)
            try apply(item, in: parent, to: known)
            return known.id
        }
        return try insert(item, in: parent, isListed: isListed, isShown: isShown)
    }

    private func ingestPlace(_ item: RemoteItem) throws -> NodeID {
        let id: NodeID = item.identifier == .rootContainer ? .root : .trash
        try update(id) { node in
            node.capabilities = item.capabilities
            node.facts = item.facts
            node.policy = item.policy
        }
        return id
    }

    private func insert(
        _ item: RemoteItem, in parent: NodeID, isListed: Bool, isShown: Bool
    ) throws -> NodeID {
        let id = try makeNode(NodeTrees()).id
        var node = newNode(id, item, in: parent, isListed: isListed)
        let isFree = try isShown && node.main.map(isFree) ?? false
        if !isFree {
            node.trees.local = nil
            node.trees.synced = nil
            node.syncedMetadata = nil
            node.syncedContentVersion = nil
        }
        try insert(node, isAtHome: isFree)
        return id
    }

    /// The node of an item that nobody has heard of before, as it is once it has appeared.
    func newNode(
        _ id: NodeID, _ item: RemoteItem, in parent: NodeID, isListed: Bool
    ) -> StoredNode {
        let entry = entry(of: item, in: parent, besides: nil)
        var node = StoredNode(
            id: id, trees: NodeTrees(local: entry, synced: entry, remote: entry))
        note(item, in: &node)
        node.agreeOnVersions()
        node.identifier = item.identifier
        node.isListed = item.kind == .folder && isListed
        node.size = item.size
        return node
    }

    private func apply(_ item: RemoteItem, in parent: NodeID, to known: StoredNode) throws {
        var node = known
        let old = known.trees.remote
        node.trees.remote = entry(of: item, in: parent, besides: old)
        for known in [known.trees.local, known.trees.synced, old].compactMap(\.self)
            + known.unheard.map(\.entry)
        {
            node.trees.remote?.attributes.sharpenDates(by: known.attributes)
        }
        note(item, in: &node)
        if node.trees.remote != old { node.recogniseEchoes(isAside: try reader.isAside(node)) }
        // What has another name, and says nothing new, is seen here with that.
        if node.trees.remote == node.trees.synced, node.unheard.isEmpty { node.agreeOnVersions() }
        if node != known { try save(node, before: known) }
        if let old, let new = node.trees.remote, !old.isAt(new) {
            try wakeThoseWhoWant(old.name, in: old.parent)
        }
    }

    private func note(_ item: RemoteItem, in node: inout StoredNode) {
        // An earlier base stays as it was, though the newest metadata have another version.
        let base = node.syncedMetadata
        node.remoteMetadata = item.metadataVersion
        node.syncedMetadata = base
        node.remoteContentVersion = item.contentVersion
        node.remoteSize = item.size
        node.capabilities = item.capabilities
        node.isUploading = !item.isUploaded
        node.policy = item.policy
        node.type = item.type
        node.facts = item.facts
    }

    /// What it says nothing of stays as it was said before.
    private func entry(
        of item: RemoteItem, in parent: NodeID, besides old: Entry?
    ) -> Entry {
        var entry = Entry(
            parent: parent, name: item.name, kind: item.kind, content: item.content,
            attributes: item.attributes)
        if let old, !item.unsaid.isEmpty { entry.take(item.unsaid, from: old) }
        return entry
    }

    /// Whether it can appear at once.
    private func isFree(_ entry: Entry) throws -> Bool {
        guard CaseRule.posix.problem(with: entry.name) == nil,
            let bits = try db.value(
                "SELECT trees FROM node WHERE id = ? AND excluded = 0", entry.parent, of: Int.self),
            TreeBits(rawValue: bits).contains(.local)
        else { return false }
        let isTaken =
            try db.value(
                "SELECT 1 FROM node WHERE parent = ? AND key = ?", entry.parent,
                rule.collisionKey(of: entry.name), of: Int.self) != nil
        // Or it may be what this device has asked for.
        return try !isTaken && reader.askers(of: entry.name, in: entry.parent).isEmpty
    }

    /// The provider has an item no more.
    package func forget(_ identifier: NSFileProviderItemIdentifier) throws {
        guard identifier != .rootContainer, identifier != .trashContainer,
            let known = try reader.node(identifier: identifier)
        else { return }
        var node = known
        // Its identifier may come back, for what is made again in its place.
        node.loseRemote()
        try save(node, before: known)
        if let old = known.trees.remote { try wakeThoseWhoWant(old.name, in: old.parent) }
    }

    /// Calls that a crash cut off are made again, and what was downloaded half is fetched anew.
    func forgetUnfinished() throws {
        // Those that wait outside of a line are let in.
        try db.run("UPDATE node SET waits = NULL WHERE waits >= 0")
        try db.run(
            """
            UPDATE node SET frozen = 0 WHERE file IS NOT NULL AND frozen <> 0 AND turn IS NULL
            """)
    }
}

extension ReplicaTransaction {
    /// What lies in a folder in any tree.
    package func nodesBelow(_ folder: NodeID) throws -> [StoredNode] {
        let ids: [NodeID] = try db.all(
            """
            SELECT id FROM node WHERE parent = ?1 AND key IS NOT NULL UNION
            SELECT id FROM node WHERE parent = ?1 AND key IS NULL UNION
            SELECT id FROM node WHERE remoteParent = ?1
            """, folder
        ) { row throws(SQLiteError) in try row[0] }
        return try ids.compactMap { try reader.node($0) }
    }

    /// Some of it, by number.
    func nodesBelow(_ folder: NodeID, after last: NodeID, limit: Int) throws -> [StoredNode] {
        let ids: [NodeID] = try db.all(
            """
            SELECT id FROM node WHERE parent = ?1 AND key IS NOT NULL AND id > ?2 UNION
            SELECT id FROM node WHERE parent = ?1 AND key IS NULL AND id > ?2 UNION
            SELECT id FROM node WHERE remoteParent = ?1 AND id > ?2
            ORDER BY 1 LIMIT ?3
            """, folder, last, limit
        ) { row throws(SQLiteError) in try row[0] }
        return try ids.compactMap { try reader.node($0) }
    }
}
