import BasketDatabase
import BasketSupport
import FileProvider
import Foundation

/// One change of a replica: as a whole or not at all. It keeps what must hold between rows: what asks for
/// attention has a turn, what has a local entry has a key, and numbers are never given twice.
package struct ReplicaTransaction {
    package let db: Connection
    package let now: Timestamp
    let rule: CaseRule

    // MARK: Numbers

    package func nextEdit() throws -> Int64 {
        try db.value("UPDATE replica SET edits = edits + 1 RETURNING edits") ?? 1
    }

    func nextTurn() throws -> Int64 {
        try db.value("UPDATE replica SET turns = turns + 1 RETURNING turns") ?? 1
    }

    // MARK: Nodes

    /// A node that no tree has yet.
    package func makeNode(_ trees: NodeTrees) throws -> StoredNode {
        let last: Int64 = try db.value("SELECT nodes FROM replica") ?? NodeID.trash.rawValue
        try db.run("UPDATE replica SET nodes = ?", last + 1)
        return StoredNode(id: NodeID(rawValue: last + 1), trees: trees)
    }

    package func insert(_ node: StoredNode) throws {
        try write(
            node,
            """
            INSERT INTO node (identifier, trees, parent, name, key, kind, bounced, version, edit,
                target, created, modified, used, flags, favorite, tags, extended, type_creator,
                synced, remote, remote_parent, remote_key, metadata_version, base_metadata, size,
                remote_size, capabilities, policy, type, facts, residence, file, frozen, turn, id)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
                ?, ?, ?, ?, ?, ?, ?, ?)
            """)
    }

    /// Writes a node as it is now. One that no tree has any more goes.
    package func save(_ node: StoredNode) throws {
        guard node.main != nil else {
            try db.run("DELETE FROM node WHERE id = ?", node.id)
            return
        }
        try write(
            node,
            """
            UPDATE node SET identifier = ?, trees = ?, parent = ?, name = ?, key = ?, kind = ?,
                bounced = ?, version = ?, edit = ?, target = ?, created = ?, modified = ?, used = ?,
                flags = ?, favorite = ?, tags = ?, extended = ?, type_creator = ?, synced = ?,
                remote = ?, remote_parent = ?, remote_key = ?, metadata_version = ?,
                base_metadata = ?, size = ?, remote_size = ?, capabilities = ?, policy = ?,
                type = ?, facts = ?, residence = ?, file = ?, frozen = ?, turn = ? WHERE id = ?
            """)
    }

    private func write(_ node: StoredNode, _ sql: String) throws {
        guard let main = node.main else { return }
        let trees = node.trees
        var bits: TreeBits = []
        if trees.local != nil { bits.insert(.local) }
        if trees.synced != nil { bits.insert(.synced) }
        if trees.remote != nil { bits.insert(.remote) }
        var version: [UInt8]?
        var edit: Int64?
        var target: String?
        switch main.content {
        case .none: break
        case .version(let name): version = Array(name)
        case .edit(let number): edit = number
        case .target(let path): target = path
        }
        // Of a node that lies elsewhere here, or nowhere, the remote tree's place has columns of its own.
        let stray = trees.remote.flatMap { remote in
            trees.local.map { ($0.parent, $0.name) == (remote.parent, remote.name) } == true
                ? nil : remote
        }
        let attributes = main.attributes
        // Asked one by one: SQLite is given so many values that the compiler would take minutes.
        let identity: [any SQLiteValue] = [
            node.identifier?.rawValue, bits.rawValue, main.parent, main.name,
            trees.local.map { rule.collisionKey(of: $0.name) }, main.kind.rawValue, main.isBounced,
        ]
        let content: [any SQLiteValue] = [version, edit, target]
        let said: [any SQLiteValue] = [
            attributes.created, attributes.modified, attributes.lastUsed,
            Int64(attributes.flags.rawValue),
            attributes.favoriteRank.map(Int64.init(bitPattern:)), attributes.tags.map(Array.init),
            EntryCoding.encode(attributes: attributes.extended),
            Int64(bitPattern: attributes.typeAndCreator),
        ]
        let others: [any SQLiteValue] = [
            blob(of: trees.synced, beside: main), blob(of: trees.remote, beside: main),
            stray?.parent, stray.map { rule.collisionKey(of: $0.name) },
            node.remoteMetadata.map(Array.init),
            node.syncedMetadata == node.remoteMetadata ? nil : node.syncedMetadata.map(Array.init),
        ]
        let rest: [any SQLiteValue] = [
            node.size, node.remoteSize == node.size ? Int64?.none : node.remoteSize,
            Int64(node.capabilities.rawValue), node.policy.rawValue, node.type, node.facts,
            node.residence.rawValue, node.file, node.isFrozen, node.turn, node.id,
        ]
        try db.run(sql, values: identity + content + said + others + rest)
    }

    private func blob(of entry: Entry?, beside main: Entry) -> [UInt8]? {
        guard let entry else { return nil }
        var plain = main
        plain.isBounced = false
        return entry == plain ? nil : EntryCoding.encode(entry)
    }

    // MARK: Attention

    /// Notes that the trees of a node may differ now, or do not any more.
    func settle(_ node: inout StoredNode) throws {
        if node.trees.isSettled {
            node.turn = nil
        } else if node.turn == nil {
            node.turn = try nextTurn()
        }
    }
}
