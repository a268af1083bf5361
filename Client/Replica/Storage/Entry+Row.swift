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
        if let version = row.optionalBytes(NodeColumn.version.rawValue) {
            content = .version(Data(version))
        } else if let edit = row.optionalInteger(NodeColumn.edit.rawValue) {
            content = .edit(edit)
        } else if let target = row.optionalText(NodeColumn.target.rawValue) {
            content = .target(target)
        } else {
            content = .none
        }
        let extended = row.optionalBytes(NodeColumn.extended.rawValue)
        let tags = row.optionalBytes(NodeColumn.tags.rawValue)
        let favorite = row.optionalInteger(NodeColumn.favorite.rawValue)
        let attributes = EntryAttributes(
            created: Self.date(row, .created), modified: Self.date(row, .modified),
            lastUsed: Self.date(row, .used),
            flags: NSFileProviderFileSystemFlags(
                rawValue: UInt(bitPattern: Int(row.integer(NodeColumn.flags.rawValue)))),
            favoriteRank: favorite.map(UInt64.init(bitPattern:)), tags: tags.map { Data($0) },
            extended: extended.flatMap(EntryCoding.attributes(of:)) ?? [:],
            typeAndCreator: UInt64(bitPattern: row.integer(NodeColumn.creator.rawValue)))
        self.init(
            parent: NodeID(rawValue: row.integer(NodeColumn.parent.rawValue)),
            name: row.optionalText(NodeColumn.name.rawValue) ?? "", kind: kind, content: content,
            attributes: attributes)
    }

    private static func date(_ row: borrowing Row, _ column: NodeColumn) -> Timestamp? {
        row.optionalInteger(column.rawValue).map(Timestamp.init(nanoseconds:))
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
        values.append(.integer(Int64(bitPattern: UInt64(attributes.flags.rawValue))))
        values.append(attributes.favoriteRank.map(Int64.init(bitPattern:)).sqlite)
        values.append(attributes.tags.map(Array.init).sqlite)
        values.append(EntryCoding.encode(attributes: attributes.extended).sqlite)
        values.append(.integer(Int64(bitPattern: attributes.typeAndCreator)))
    }
}
