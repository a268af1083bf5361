import BasketDatabase
import BasketSupport
import FileProvider
import Foundation

extension Entry {
    /// The main entry of a node's row.
    init(_ row: borrowing Row) throws(SQLiteError) {
        guard let kind = NodeKind(rawValue: Int(row.integer(NodeColumn.kind.rawValue))) else {
            throw SQLiteError("node \(row.integer(0)) is of no kind")
        }
        let content: EntryContent
        if let version: [UInt8] = try row[NodeColumn.version.rawValue] {
            content = .version(Data(version))
        } else if let edit: Int64 = try row[NodeColumn.edit.rawValue] {
            content = .edit(edit)
        } else if let target: String = try row[NodeColumn.target.rawValue] {
            content = .target(target)
        } else {
            content = .none
        }
        let extended: [UInt8]? = try row[NodeColumn.extended.rawValue]
        let tags: [UInt8]? = try row[NodeColumn.tags.rawValue]
        let favorite: Int64? = try row[NodeColumn.favorite.rawValue]
        let attributes = EntryAttributes(
            created: try row[NodeColumn.created.rawValue],
            modified: try row[NodeColumn.modified.rawValue],
            lastUsed: try row[NodeColumn.used.rawValue],
            flags: NSFileProviderFileSystemFlags(
                rawValue: UInt(bitPattern: Int(row.integer(NodeColumn.flags.rawValue)))),
            favoriteRank: favorite.map(UInt64.init(bitPattern:)), tags: tags.map { Data($0) },
            extended: extended.flatMap(EntryCoding.attributes(of:)) ?? [:],
            typeAndCreator: UInt64(bitPattern: row.integer(NodeColumn.creator.rawValue)))
        self.init(
            parent: NodeID(rawValue: row.integer(NodeColumn.parent.rawValue)),
            name: try row[NodeColumn.name.rawValue], kind: kind, content: content,
            attributes: attributes)
    }

    /// Its columns, in their order.
    var values: [any SQLiteValue] {
        var version: [UInt8]?
        var edit: Int64?
        var target: String?
        switch content {
        case .none: break
        case .version(let name): version = Array(name)
        case .edit(let number): edit = number
        case .target(let path): target = path
        }
        let place: [any SQLiteValue] = [parent, name, kind.rawValue, isBounced]
        let content: [any SQLiteValue] = [version, edit, target]
        let said: [any SQLiteValue] = [
            attributes.created, attributes.modified, attributes.lastUsed,
            Int64(attributes.flags.rawValue),
            attributes.favoriteRank.map(Int64.init(bitPattern:)), attributes.tags.map(Array.init),
            EntryCoding.encode(attributes: attributes.extended),
            Int64(bitPattern: attributes.typeAndCreator),
        ]
        return place + content + said
    }
}
