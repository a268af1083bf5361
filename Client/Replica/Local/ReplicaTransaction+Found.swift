import BasketDatabase
import FileProvider

extension ReplicaReader {
    /// Files that an earlier replica has left, and that have not come back yet. The newest first: of two contents of one
    /// item, it is the one that was written last that becomes the item's.
    package func found(before file: Int64 = .max, limit: Int) throws -> [FoundContent] {
        try db.all(
            "SELECT file, mark FROM found WHERE file < ? ORDER BY file DESC LIMIT ?", file, limit,
            decode: Self.found)
    }

    /// Those of them that no crash has damaged yet, as far as that is known.
    func undoubted(after file: Int64, limit: Int) throws -> [FoundContent] {
        try db.all(
            "SELECT file, mark FROM found WHERE file > ? AND doubt <= 0 ORDER BY file LIMIT ?",
            file, limit, decode: Self.found)
    }

    func doubt(about file: Int64) throws -> FoundContent.Doubt {
        let stored: Int? = try db.value("SELECT doubt FROM found WHERE file = ?", file)
        return stored.flatMap(FoundContent.Doubt.init) ?? .none
    }

    private static func found(_ row: borrowing Row) throws(SQLiteError) -> FoundContent {
        let (file, bytes): (Int64, [UInt8]) = (try row[0], try row[1])
        return FoundContent(file: file, mark: ContentMark(bytes: bytes) ?? .unknown(file))
    }
}

extension ReplicaTransaction {
    /// Has bytes back that an earlier replica has left: as a change of the item that they were of, with what they
    /// were made of as its base; or of what has their name. The provider decides what is newer; and the same bytes
    /// are no change.
    /// - Parameter isWritten: whether a program has had the file open since the database was there.
    package func bringBack(
        _ found: FoundContent, size: Int64, isWritten: Bool, in folder: NodeID
    ) throws {
        let name = found.mark.path.last ?? "recovered"
        let item = try found.mark.item.flatMap {
            try reader.node(identifier: NSFileProviderItemIdentifier($0))
        }
        let holder = try reader.child(name, of: folder)
        if let before = [item, holder].compactMap(\.self).first(where: isPristine) {
            var node = before
            let isItem = before.id == item?.id
            node.trees.synced?.content =
                (isItem ? found.mark.base : nil).map(EntryContent.version) ?? .handedOver
            try give(found.file, size, &node)
            try save(node, before: before)
            if isWritten { try noteWriter(of: node.id) }
        } else {
            let entry = Entry(
                parent: folder, name: try reader.freeName(like: name, in: folder), kind: .file,
                content: .none, attributes: EntryAttributes(created: now, modified: now))
            var node = try makeNode(NodeTrees(local: entry))
            try give(found.file, size, &node)
            try insert(node)
            if isWritten { try noteWriter(of: node.id) }
        }
        try noteVolatile(found.file)
        try db.run("DELETE FROM found WHERE file = ?", found.file)
    }

    /// They may not be what was written, and come back beside what they were of.
    func doubt(_ contents: [FoundContent]) throws {
        for content in contents {
            var mark = content.mark
            if let name = mark.path.popLast() { mark.path.append(damagedName(of: name)) }
            (mark.item, mark.base) = (nil, nil)
            try db.run(
                "UPDATE found SET mark = ?, doubt = ? WHERE file = ?", mark.bytes,
                FoundContent.Doubt.damaged.rawValue, content.file)
        }
    }

    func noteFound(_ file: Int64, _ doubt: FoundContent.Doubt) throws {
        try db.run("UPDATE found SET doubt = ? WHERE file = ?", doubt.rawValue, file)
    }

    /// Gives nobody the numbers of files that are there though they were never given. What tells what it is comes back.
    /// - Returns: the others.
    func close(
        _ files: [(number: Int64, mark: ContentMark?)], _ doubt: FoundContent.Doubt
    ) throws -> [Int64] {
        let given = try reader.lastFile()
        let unknown = files.filter { $0.number > given }
        for (number, mark) in unknown {
            try db.run("UPDATE replica SET files = max(files, ?)", number)
            guard let mark else { continue }
            try db.run(
                "INSERT OR IGNORE INTO found (file, mark, doubt) VALUES (?, ?, ?)", number,
                mark.bytes, doubt.rawValue)
        }
        return unknown.filter { $0.mark == nil }.map(\.number)
    }

    /// The bytes are not there any more.
    package func forgetFound(_ file: Int64) throws {
        try db.run("DELETE FROM found WHERE file = ?", file)
    }

    /// Nobody has changed it here since it became known.
    private func isPristine(_ node: StoredNode) -> Bool {
        guard let local = node.trees.local, local.kind == .file, node.exclusion == .no else {
            return false
        }
        return node.trees.synced != nil && node.trees.remote != nil && !local.content.isEdit
    }

    private func give(_ file: Int64, _ size: Int64, _ node: inout StoredNode) throws {
        node.letGoOfContent()
        node.trees.local?.content = .edit(try nextEdit())
        node.trees.local?.attributes.modified = now
        node.file = file
        node.size = size
        node.residence = .whole
        // Somebody may read it still, for whom it was handed over.
        node.isFrozen = true
    }
}
