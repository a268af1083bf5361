import BasketContent
import BasketDatabase
import BasketModels
import BasketStore
import BasketSupport

/// Items as JSON, straight from their rows.
struct ItemJSON {
    let domain: Domain
    let db: Connection

    /// One item as bytes.
    func bytes(of id: ItemID) throws -> [UInt8] {
        var writer = JSONWriter()
        try write(id, to: &writer)
        return writer.bytes
    }

    func write(_ id: ItemID, to writer: inout JSONWriter) throws {
        try db.withItem(id) { row throws(SQLiteError) in try write(row, to: &writer) }
    }

    func write(
        _ row: borrowing Row, to writer: inout JSONWriter, locks: [ItemLock]? = nil
    ) throws(SQLiteError) {
        // Attributes are read before the object begins: a failure leaves no half of it.
        let attributes =
            row.integer(ItemColumn.xattrs) > 0
            ? try db.extendedAttributes(of: ItemID(rawValue: row.integer(ItemColumn.id))) : []
        writer.object { writer in
            writeIdentity(row, to: &writer)
            if !row.isNull(ItemColumn.deleted) {
                writeDate(row, ItemColumn.deleted, "deleted", to: &writer)
                return
            }
            writeContent(row, to: &writer)
            writeMetadata(row, to: &writer)
            if !attributes.isEmpty { write(attributes, to: &writer) }
            if let locks { write(locks, to: &writer) }
        }
    }

    private func writeIdentity(_ row: borrowing Row, to writer: inout JSONWriter) {
        writer.key("id")
        writeReference(row.integer(ItemColumn.id), to: &writer)
        if !row.isNull(ItemColumn.parent) {
            writer.key("parent")
            writeReference(row.integer(ItemColumn.parent), to: &writer)
        }
        writer.key("name")
        row.withBytes(ItemColumn.name) { writer.string($0) }
        writer.key("kind")
        writer.plainString { $0 += Self.word(of: row.integer(ItemColumn.kind)) }
        writer.key("contentVersion")
        writeNumber(row.integer(ItemColumn.contentVersion), to: &writer)
        writer.key("metadataVersion")
        writeNumber(row.integer(ItemColumn.metadataVersion), to: &writer)
    }

    private func writeContent(_ row: borrowing Row, to writer: inout JSONWriter) {
        switch ItemKind(rawValue: Int(row.integer(ItemColumn.kind))) {
        case .file:
            writer.key("size")
            writer.number(row.integer(ItemColumn.size))
            if !row.isNull(ItemColumn.hash) {
                writer.key("sha256")
                row.withBytes(ItemColumn.hash) { hash in
                    writer.plainString { text in
                        for index in hash.indices {
                            text.append(Self.hexDigits[Int(hash[index] >> 4)])
                            text.append(Self.hexDigits[Int(hash[index] & 15)])
                        }
                    }
                }
            }
            if row.integer(ItemColumn.conflicts) > 0 {
                writer.key("conflicts")
                writer.number(row.integer(ItemColumn.conflicts))
            }
            if !row.isNull(ItemColumn.thumbnail) {
                writer.key("thumbnail")
                writeNumber(row.integer(ItemColumn.thumbnail), to: &writer)
            }
        case .folder:
            writer.key("children")
            writer.number(row.integer(ItemColumn.children))
        case .symlink:
            writer.key("target")
            row.withBytes(ItemColumn.target) { writer.string($0) }
        case nil: break
        }
    }

    private func writeMetadata(_ row: borrowing Row, to writer: inout JSONWriter) {
        writeDate(row, ItemColumn.created, "created", to: &writer)
        writeDate(row, ItemColumn.modified, "modified", to: &writer)
        if !row.isNull(ItemColumn.used) {
            writeDate(row, ItemColumn.used, "lastUsed", to: &writer)
        }
        writer.key("mode")
        let mode = row.integer(ItemColumn.mode)
        writer.plainString { text in
            for shift in [Int64(9), 6, 3, 0] {
                text.append(UInt8(ascii: "0") + UInt8(mode >> shift & 7))
            }
        }
        let flags = ItemFlags(rawValue: Int(row.integer(ItemColumn.flags)))
        if !flags.isEmpty {
            writer.key("flags")
            writer.array { writer in
                for entry in ItemFlags.words where flags.contains(entry.flag) {
                    writer.string(entry.word)
                }
            }
        }
        if !row.isNull(ItemColumn.favorite) {
            writer.key("favoriteRank")
            writer.number(row.integer(ItemColumn.favorite))
        }
        if !row.isNull(ItemColumn.tags) {
            writer.key("tags")
            row.withBytes(ItemColumn.tags) { writer.json($0) }
        }
        if !row.isNull(ItemColumn.trashed) {
            writeDate(row, ItemColumn.trashed, "trashed", to: &writer)
            writer.key("trashedFrom")
            writeReference(row.integer(ItemColumn.trashedFrom), to: &writer)
        }
    }

    private func write(
        _ attributes: [(name: String, value: [UInt8])], to writer: inout JSONWriter
    ) {
        writer.key("xattrs")
        writer.object { writer in
            for attribute in attributes {
                writer.key(text: attribute.name)
                writer.string(Base64.encode(attribute.value, .standard))
            }
        }
    }

    private func write(_ locks: [ItemLock], to writer: inout JSONWriter) {
        guard !locks.isEmpty else { return }
        writer.key("locks")
        writer.array { writer in
            for lock in locks { LockJSON.write(lock, to: &writer) }
        }
    }

    /// The root and the trash go by their names, in both directions.
    private func writeReference(_ number: Int64, to writer: inout JSONWriter) {
        if number == domain.root.rawValue {
            writer.plainString { $0 += "root".utf8 }
        } else if number == domain.trash.rawValue {
            writer.plainString { $0 += "trash".utf8 }
        } else {
            writeNumber(number, to: &writer)
        }
    }

    private func writeNumber(_ number: Int64, to writer: inout JSONWriter) {
        writer.plainString { Version(rawValue: number).appendDigits(to: &$0) }
    }

    private func writeDate(
        _ row: borrowing Row, _ column: Int32, _ name: StaticString, to writer: inout JSONWriter
    ) {
        writer.key(name)
        let moment = Timestamp(nanoseconds: row.integer(column))
        writer.plainString { moment.appendRFC3339(to: &$0) }
    }

    private static let hexDigits = Array("0123456789abcdef".utf8)

    private static func word(of kind: Int64) -> [UInt8] {
        Array((ItemKind(rawValue: Int(kind)) ?? .file).word.utf8)
    }
}
