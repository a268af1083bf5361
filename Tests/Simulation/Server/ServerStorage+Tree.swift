import BasketBlobs
import BasketDatabase
import BasketModels
import BasketStore
import BasketSupport
import BasketUpkeep
import FileProvider
import Foundation
import Synchronization

// What lies in it, read past its API.
extension ServerStorage {
    private struct Row {
        var parent: ItemID?
        var name: String
        var text: String
        var details: ItemDetails
    }

    func tree(for device: String) throws -> [String: String] {
        try paths(of: domainName(of: device), for: account(of: device)).mapValues(\.text)
    }

    func details(for device: String) throws -> [String: ItemDetails] {
        try paths(of: domainName(of: device), for: account(of: device)).mapValues(\.details)
    }

    /// By the domains' names.
    func trees() throws -> [String: [String: String]] {
        var trees = [Self.work: try paths(of: Self.work, for: "ann").mapValues(\.text)]
        if run.hasStrangers {
            trees[Self.own] = try paths(of: Self.own, for: "bea").mapValues(\.text)
        }
        return trees
    }

    private func paths(of name: String, for account: String) throws -> [String: Row] {
        let identity = try identity(of: account)
        return try requireServer().store.read { db in
            let domain = try db.domain(name, for: identity)
            let items = try rows(of: domain, db)
            var paths: [String: Row] = [:]
            for (id, item) in items where id != domain.root && id != domain.trash {
                var path = item.name
                var (top, parent) = (id, item.parent)
                var depth = 0
                while let folder = parent, folder != domain.root, folder != domain.trash,
                    let above = items[folder], depth < 1000
                {
                    path = above.name + "/" + path
                    (top, parent) = (folder, above.parent)
                    depth += 1
                }
                if parent != domain.root, parent != domain.trash { path = "nowhere: \(path)" }
                // In the trash, several may have one name.
                if parent == domain.trash { path = "trash:\(top) \(path)" }
                if paths[path] != nil { path += " (once more: \(id))" }
                paths[path] = item
            }
            return paths
        }
    }

    private func rows(of domain: Domain, _ db: Connection) throws -> [ItemID: Row] {
        var attributes: [ItemID: [String: Data]] = [:]
        try db.each(
            """
            SELECT xattr.item, xattr.name, xattr.value
            FROM xattr JOIN item ON item.id = xattr.item WHERE item.domain = ?
            """, domain.id
        ) { row throws(SQLiteError) in
            let value: [UInt8] = try row[2]
            attributes[try row[0], default: [:]][try row[1]] = Data(value)
            return true
        }
        var found: [(id: ItemID, row: Row, content: Int64?)] = []
        try db.each(
            """
            SELECT id, parent, name, kind, content, target, size, modified, mode, flags, favorite,
                tags
            FROM item WHERE domain = ? AND deleted IS NULL
            """, domain.id
        ) { row throws(SQLiteError) in
            let (id, kind): (ItemID, ItemKind) = (try row[0], try row[3])
            let target: String? = try row[5]
            let favourite: Int64? = try row[10]
            let tags: String? = try row[11]
            let text = kind == .folder ? "/" : kind == .symlink ? "→ " + (target ?? "") : ""
            let details = ItemDetails(
                identifier: "\(id)", size: kind == .file ? try row[6] : nil,
                modified: try row[7], tags: ItemDetails.tags(of: tags.map { Data($0.utf8) }),
                flags: Self.flags(
                    mode: Int(row.integer(8)), words: ItemFlags(rawValue: Int(row.integer(9)))
                ).rawValue,
                favourite: favourite.map(UInt64.init), extended: attributes[id] ?? [:])
            found.append(
                (
                    id, Row(parent: try row[1], name: try row[2], text: text, details: details),
                    kind == .file ? try row[4] : nil
                ))
            return true
        }
        var items: [ItemID: Row] = [:]
        for (id, row, content) in found {
            items[id] = row
            if let content { items[id]?.text = try text(of: content, db) }
        }
        return items
    }

    /// As the extension tells them.
    private static func flags(mode: Int, words: ItemFlags) -> NSFileProviderFileSystemFlags {
        var flags: NSFileProviderFileSystemFlags = []
        if mode & 0o400 != 0 { flags.insert(.userReadable) }
        if mode & 0o200 != 0 { flags.insert(.userWritable) }
        if mode & 0o100 != 0 { flags.insert(.userExecutable) }
        if words.contains(.hidden) { flags.insert(.hidden) }
        if words.contains(.extensionHidden) { flags.insert(.pathExtensionHidden) }
        return flags
    }

    /// Long ones are read from the disk, once after each time that the server has come back.
    func text(of content: Int64, _ db: Connection) throws -> String {
        switch try db.storedContent(content) {
        case .inline(let bytes): return Passage.text(of: bytes)
        case .extents(let extents):
            let key = "\(content) \(extents)"
            if let known = state.withLock({ $0.texts[key] }) { return known }
            var bytes: [UInt8] = []
            for extent in extents {
                let name = BlobID(rawValue: UInt64(bitPattern: extent.place.blob)).text
                let path = "\(folder.path)/blobs/\(name.prefix(2))/\(name)"
                guard let file = try? disk.open(path) else { return "damaged: no blob" }
                bytes += try file.read(at: extent.place.position, count: Int(extent.length))
            }
            let text = Passage.text(of: bytes)
            state.withLock { $0.texts[key] = text }
            return text
        }
    }

    // MARK: Versions

    func texts() throws -> Set<String> {
        let versions = try requireServer().store.read { db in
            let contents: [Int64] = try db.all("SELECT content FROM version") {
                row throws(SQLiteError) in try row[0]
            }
            return try contents.map { try text(of: $0, db) }
        }
        return try trees().values.reduce(into: Set(versions)) { $0.formUnion($1.values) }
    }

    func descents() throws -> [(text: String, base: String)] {
        try requireServer().store.read { db in
            let pairs: [(Int64?, Int64?)] = try db.all(
                """
                WITH written (item, id, base, content) AS (
                    SELECT item, id, base, content FROM version UNION ALL
                    SELECT id, content_version, base, content FROM item
                )
                SELECT written.content, before.content
                FROM written
                JOIN written AS before ON before.item = written.item AND before.id = written.base
                WHERE written.content IS NOT NULL AND before.content IS NOT NULL
                """
            ) { row throws(SQLiteError) in (try row[0], try row[1]) }
            return try pairs.compactMap { content, base in
                guard let content, let base else { return nil }
                return (try text(of: content, db), try text(of: base, db))
            }
        }
    }

    func contents(
        of item: String
    ) throws -> (present: Set<String>, former: [(version: String, text: String)]) {
        guard let id = ItemID(item) else { return ([], []) }
        return try requireServer().store.read { db in
            let present: [Int64] = try db.all(
                """
                SELECT content FROM item WHERE id = ?1 AND content IS NOT NULL UNION
                SELECT content FROM version WHERE item = ?1 AND conflict = 1
                """, id
            ) { row throws(SQLiteError) in try row[0] }
            let former: [(Version, Int64)] = try db.all(
                "SELECT id, content FROM version WHERE item = ? AND conflict = 0 ORDER BY id", id
            ) { row throws(SQLiteError) in (try row[0], try row[1]) }
            return (
                Set(try present.map { try text(of: $0, db) }),
                try former.map { ("\($0.0)", try text(of: $0.1, db)) }
            )
        }
    }

    func gone() throws -> [GoneItem] {
        try requireServer().store.read { db in
            let rows: [(ItemID, String, ItemID?, ItemKind, Int64?)] = try db.all(
                "SELECT id, name, parent, kind, content FROM item WHERE deleted IS NOT NULL"
            ) { row throws(SQLiteError) in
                (try row[0], try row[1], try row[2], try row[3], try row[4])
            }
            return try rows.map { id, name, parent, kind, content in
                GoneItem(
                    identifier: "\(id)", name: name, parent: parent.map { "\($0)" } ?? "",
                    text: try content.map { try text(of: $0, db) }
                        ?? (kind == .file ? "" : nil))
            }
        }
    }
}
