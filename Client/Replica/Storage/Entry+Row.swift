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

    /// Appends its columns, in their order.
    func append(to values: inout [SQLiteScalar]) {
        values.append(parent.sqlite)
        values.append(.text(name))
        values.append(kind.rawValue.sqlite)
        values.append(isBounced.sqlite)
        switch content {
        case .none: values += [.null, .null, .null]
        case .version(let name): values += [.blob(Array(name)), .null, .null]
        case .edit(let number): values += [.null, .integer(number), .null]
        case .target(let path): values += [.null, .null, .text(path)]
        }
        values.append(attributes.created.sqlite)
        values.append(attributes.modified.sqlite)
        values.append(attributes.lastUsed.sqlite)
        values.append(.integer(Int64(attributes.flags.rawValue)))
        values.append(attributes.favoriteRank.map(Int64.init(bitPattern:)).sqlite)
        values.append(attributes.tags.map(Array.init).sqlite)
        values.append(EntryCoding.encode(attributes: attributes.extended).sqlite)
        values.append(.integer(Int64(bitPattern: attributes.typeAndCreator)))
    }
}
