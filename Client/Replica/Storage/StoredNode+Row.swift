import BasketDatabase
import BasketSupport
import FileProvider
import Foundation

/// Which trees have a node, as its row says it.
struct TreeBits: OptionSet {
    let rawValue: Int
    static let local = TreeBits(rawValue: 1)
    static let synced = TreeBits(rawValue: 2)
    static let remote = TreeBits(rawValue: 4)
}

extension StoredNode {
    init(_ row: borrowing Row) throws(SQLiteError) {
        id = NodeID(rawValue: row.integer(NodeColumn.id))
        let identifier: String? = try row[NodeColumn.identifier]
        self.identifier = identifier.map(NSFileProviderItemIdentifier.init(rawValue:))
        let bits = TreeBits(rawValue: Int(row.integer(NodeColumn.trees)))
        var main = try Entry(row)
        if bits.contains(.local) { main.isBounced = row.integer(NodeColumn.bounced) != 0 }
        trees = NodeTrees(
            local: bits.contains(.local) ? main : nil,
            synced: bits.contains(.synced) ? try Self.other(row, NodeColumn.synced, main) : nil,
            remote: bits.contains(.remote) ? try Self.other(row, NodeColumn.remote, main) : nil)
        let metadata: [UInt8]? = try row[NodeColumn.metadataVersion]
        let base: [UInt8]? = try row[NodeColumn.baseMetadata]
        remoteMetadata = metadata.map { Data($0) }
        syncedMetadata = (base ?? (bits.contains(.synced) ? metadata : nil)).map { Data($0) }
        size = row.integer(NodeColumn.size)
        remoteSize = try row[NodeColumn.remoteSize] ?? size
        capabilities = NSFileProviderItemCapabilities(
            rawValue: UInt(bitPattern: Int(row.integer(NodeColumn.capabilities))))
        policy =
            NSFileProviderContentPolicy(rawValue: Int(row.integer(NodeColumn.policy))) ?? .inherited
        type = try row[NodeColumn.type]
        facts = try row[NodeColumn.facts]
        residence = Residence(rawValue: Int(row.integer(NodeColumn.residence))) ?? .dataless
        file = try row[NodeColumn.file]
        isFrozen = row.integer(NodeColumn.frozen) != 0
        turn = try row[NodeColumn.turn]
    }

    /// What the synced or the remote tree says, in a blob of its own only where it is something else.
    private static func other(
        _ row: borrowing Row, _ column: Int32, _ main: Entry
    ) throws(SQLiteError) -> Entry {
        let bytes: [UInt8]? = try row[column]
        guard let bytes else {
            var same = main
            same.isBounced = false
            return same
        }
        guard let entry = EntryCoding.decode(bytes) else {
            throw SQLiteError("column \(column) of node \(row.integer(0)) holds no entry")
        }
        return entry
    }
}

extension Entry {
    fileprivate init(_ row: borrowing Row) throws(SQLiteError) {
        guard let kind = NodeKind(rawValue: Int(row.integer(NodeColumn.kind))) else {
            throw SQLiteError("node \(row.integer(NodeColumn.id)) is of no kind")
        }
        let content: EntryContent
        if let version: [UInt8] = try row[NodeColumn.version] {
            content = .version(Data(version))
        } else if let edit: Int64 = try row[NodeColumn.edit] {
            content = .edit(edit)
        } else if let target: String = try row[NodeColumn.target] {
            content = .target(target)
        } else {
            content = .none
        }
        let extended: [UInt8]? = try row[NodeColumn.extended]
        let tags: [UInt8]? = try row[NodeColumn.tags]
        let favorite: Int64? = try row[NodeColumn.favorite]
        let attributes = EntryAttributes(
            created: try row[NodeColumn.created], modified: try row[NodeColumn.modified],
            lastUsed: try row[NodeColumn.used],
            flags: NSFileProviderFileSystemFlags(
                rawValue: UInt(bitPattern: Int(row.integer(NodeColumn.flags)))),
            favoriteRank: favorite.map(UInt64.init(bitPattern:)), tags: tags.map { Data($0) },
            extended: extended.flatMap(EntryCoding.attributes(of:)) ?? [:],
            typeAndCreator: UInt64(bitPattern: row.integer(NodeColumn.typeCreator)))
        self.init(
            parent: NodeID(rawValue: row.integer(NodeColumn.parent)),
            name: try row[NodeColumn.name], kind: kind, content: content, attributes: attributes)
    }
}
