import BasketDatabase
import BasketSupport
import FileProvider

// What a crash of the machine leaves.
extension Replica {
    /// After a crash of the machine, files that were not durable hold anything. What the provider has is
    /// fetched again. What was written here and is not whole must not be sent in place of what is: it stays
    /// beside it, under a name that says what it is.
    /// - Returns: false when there is a file that could not be looked at: it is to be done once more.
    func mendAfterCrash() async throws -> Bool {
        // Those first in whose place another one comes again, of which it is known still whether it is safe itself.
        let files: [Int64] = try read { reader in
            try reader.db.all(
                """
                SELECT file FROM volatile
                ORDER BY file IN (SELECT file FROM predecessor) DESC, file
                """
            ) { row throws(SQLiteError) in try row[0] }
        }
        var isComplete = true
        for file in files {
            do {
                let proven = try read { try $0.proven(file) }
                let remains = try Remains(of: file, in: contents, proven: proven)
                let former = try predecessor(of: file)
                try await write { try $0.mend(file, remains, former) }
                // What is left of it is another item's from now on.
                for file in [file, former?.file].compactMap(\.self) { try remark(file) }
            } catch let error as FileError {
                // What cannot be looked at is not gone, and keeps nobody from the others.
                isComplete = false
                world.log.error(
                    "it cannot be told what the crash has left of a file",
                    ["file": .number(file), "error": .text("\(error)")])
            }
        }
        return isComplete
    }

    /// - Returns: what was there before, where it is whole.
    private func predecessor(of file: Int64) throws -> Predecessor? {
        guard let former = try read({ try $0.predecessor(of: file) }),
            try read({ try $0.node(file: former.file) })?.trees.local == nil,
            let remains = try Remains(
                of: former.file, in: contents, proven: read { try $0.proven(former.file) })
        else { return nil }
        // What is safe may have holes of its own.
        let isSafe = try !read { try $0.isVolatile(former.file) }
        let isWhole =
            isSafe ? remains.size >= former.size : remains.isWhole(ofSize: former.size)
        return isWhole ? former : nil
    }

    private func remark(_ file: Int64) throws {
        let mark = try read { reader -> ContentMark? in
            guard let node = try reader.node(file: file),
                node.trees.local?.content.isEdit == true
            else { return nil }
            return try reader.mark(of: node)
        }
        if let mark, try contents.isThere(file) { try contents.set(mark, at: file) }
    }

    /// Removes files that no node names: a crash came between a file and the row that was to name it. What has
    /// come since this replica was opened may be about to be named.
    package func removeStrays() async throws {
        let given = try read { try $0.lastFile() }
        var unknown: [Int64] = []
        for part in 0..<ContentFiles.folders {
            let numbers = try contents.numbers(inFolder: part)
            unknown += numbers.filter { $0 > given }
            for number in numbers where number <= lastFile {
                if try !read({ try $0.isNamed(number) }) { try contents.remove(number) }
            }
        }
        if !unknown.isEmpty { try await settle(unknown: unknown) }
    }

    /// What this database has never given a number. A power cut may have brought back what one before it had removed; but
    /// it may also be newer than this one, and tell what it is itself: then it comes back after the next start.
    private func settle(unknown numbers: [Int64]) async throws {
        let keepsNotes = try contents.keepsNotes()
        let marked = try numbers.map { number in
            (number, keepsNotes ? try contents.mark(at: number) : .unknown(number))
        }
        // A number is given, and that is durable, before there is a file; and those are given to nobody any more. Both at
        // once: of a number that was given, a file that no node names is nobody's.
        for number in try await write({ try $0.close(marked) }) { try contents.remove(number) }
    }
}

extension Replica {
    /// A file that was to be named, and is not.
    package func discardUnlessNamed(_ number: Int64) {
        // What cannot be removed now is a stray, which the next start removes. What was named goes when it is durable that it
        // is not any more.
        let isKept = (try? read { try $0.isNamed(number) || $0.isDiscarded(number) }) ?? true
        if !isKept { _ = try? contents.remove(number) }
    }
}

extension ReplicaReader {
    /// Whether a crash of the machine may take what a file holds.
    func isVolatile(_ file: Int64) throws -> Bool {
        try db.value("SELECT 1 FROM volatile WHERE file = ?", file, of: Int.self) != nil
    }

    /// The last number that a file has got.
    func lastFile() throws -> Int64 {
        try db.value("SELECT files FROM replica") ?? 0
    }

    /// How long a file was when a program was told that all of it is safe; nil for never, or for what is safe anyway.
    func proven(_ file: Int64) throws -> Int64? {
        try db.value("SELECT proven FROM volatile WHERE file = ?", file) ?? nil
    }

    /// Whether a file is kept for anything.
    package func isNamed(_ file: Int64) throws -> Bool {
        try db.value(
            """
            SELECT 1 FROM node WHERE file = ?1 UNION ALL
            SELECT 1 FROM node WHERE basis = ?1 UNION ALL
            SELECT 1 FROM found WHERE file = ?1 UNION ALL
            SELECT 1 FROM arrival WHERE file = ?1 UNION ALL
            SELECT 1 FROM rescued WHERE file = ?1 UNION ALL
            SELECT 1 FROM predecessor WHERE former = ?1 LIMIT 1
            """, file, of: Int.self) != nil
    }
}

extension ReplicaTransaction {
    /// - Parameters:
    ///   - left: what is left of it; nil where the crash took its name as well.
    ///   - former: what was there before it, if that is whole.
    fileprivate func mend(_ file: Int64, _ left: Remains?, _ former: Predecessor?) throws {
        let based: [NodeID] = try db.all("SELECT id FROM node WHERE basis = ?", file) {
            row throws(SQLiteError) in try row[0]
        }
        for id in based { try update(id) { $0.basis = nil } }
        if let holder = try reader.node(file: file) {
            try mend(holder, file, left, former)
        } else if let bytes = try reader.rescued(file) {
            try mend(rescued: bytes, left, former)
        }
        // With that goes what was there before.
        try db.run("DELETE FROM volatile WHERE file = ?", file)
    }

    private func mend(
        _ before: StoredNode, _ file: Int64, _ left: Remains?, _ former: Predecessor?
    ) throws {
        guard let local = before.trees.local else {
            return try mend(removed: before, isWhole: left?.isWhole(ofSize: before.size) ?? false)
        }
        var node = before
        if !local.content.isEdit, before.trees.remote != nil {
            // What has been fetched can be fetched again.
            node.residence = .dataless
            node.file = nil
            return try save(node, before: before)
        }
        let size = left?.size ?? 0
        // Who had begun to write it anew had not come far: what was there before is here still, or at the provider. Unless
        // it is empty on purpose, as somebody was told that it is on the disk.
        let isElsewhere =
            former != nil || before.trees.remote != nil && before.remoteSize > 0
        let isBegun =
            try size == 0 && isElsewhere && reader.proven(file) == nil
            && reader.isWrittenInPlace(before.id)
        let isWhole = left?.isWhole(ofSize: before.size) ?? false
        guard !isWhole || isBegun else {
            guard size < before.size else { return }
            // It was cut off after it was made safe, and that is what there is.
            node.size = size
            return try save(node, before: before)
        }
        // What was handed over since then, the provider may have: that is newer.
        let mayBeThere = before.isUnanswered || before.trees.remote != nil
        if let former, !mayBeThere || !before.isFrozen && !former.isPassed {
            try goBack(to: former, before)
            if size > 0 { try keep(file, size: size, beside: local) }
        } else {
            try mend(before, file, size: size, isThere: left != nil, local)
            if let former { try keep(former, beside: local) }
        }
        // Nobody goes on with it, and what waited for that is looked at again.
        try forgetWriting(of: before.id)
        try touch(before.id)
    }

    private func mend(
        _ before: StoredNode, _ file: Int64, size: Int64, isThere: Bool, _ local: Entry
    ) throws {
        var node = before
        guard let synced = before.trees.synced, let remote = before.trees.remote else {
            if before.isUnanswered { return try doubt(before, file, size: size, local) }
            // There never was anything else: what is left of it is all that there is.
            node.size = size
            if !isThere { node.file = nil }
            return try save(node, before: before)
        }
        // Who wrote had seen what was there before, perhaps. That is nowhere here.
        node.trees.local?.content = remote.content
        node.trees.synced?.content = remote.content
        node.trees.local?.attributes.modified = synced.attributes.modified
        node.size = before.remoteSize
        node.file = nil
        node.isFrozen = false
        node.residence = .dataless
        try save(node, before: before)
        guard size > 0 else { return }
        try keep(file, size: size, beside: local)
    }

    /// It has gone, and the provider may have been asked to make it before that: which item this was is asked for once
    /// more, and not with anything else than what was there.
    func mend(removed before: StoredNode, isWhole: Bool) throws {
        guard !isWhole else { return }
        var node = before
        node.letGoOfContent()
        if before.isUnanswered, before.trees.remote == nil {
            node.trees.synced?.content = .handedOver
            try save(node, before: before)
            try db.run("INSERT OR IGNORE INTO offered (node) VALUES (?)", node.id)
        } else {
            try save(node, before: before)
        }
        try touch(node.id)
    }

    /// The provider was asked to make it, and may have all of it: what is left here must not be taken for a change
    /// of that. It is looked for there by its name, as something whose content is not here.
    private func doubt(
        _ before: StoredNode, _ file: Int64, size: Int64, _ local: Entry
    ) throws {
        var node = before
        node.trees.local?.content = .handedOver
        node.file = nil
        node.isFrozen = false
        node.residence = .dataless
        try save(node, before: before)
        try db.run("INSERT OR IGNORE INTO offered (node) VALUES (?)", node.id)
        guard size > 0 else { return }
        try keep(file, size: size, beside: local)
    }

    private func keep(_ former: Predecessor, beside local: Entry) throws {
        try takeOut(former)
        let day = String(now.rfc3339.prefix(10))
        let wanted = ConflictName(local.name, recoveredOn: day, rule: rule).text
        try keep(former.file, size: former.size, beside: local, as: wanted, isFrozen: true)
    }

    private func keep(_ file: Int64, size: Int64, beside local: Entry) throws {
        let day = String(now.rfc3339.prefix(10))
        let wanted = ConflictName(local.name, damagedOn: day, rule: rule).text
        try keep(file, size: size, beside: local, as: wanted)
    }

    /// Some bytes become a new file.
    /// - Parameter isFrozen: whether they were handed over.
    func keep(
        _ file: Int64, size: Int64, beside local: Entry, as wanted: String, isFrozen: Bool = false
    ) throws {
        let name = try reader.freeName(like: wanted, in: local.parent)
        var entry = Entry(
            parent: local.parent, name: name, kind: .file, content: .edit(try nextEdit()),
            attributes: local.attributes)
        entry.attributes.modified = now
        var node = try makeNode(NodeTrees(local: entry))
        node.file = file
        node.size = size
        node.residence = .whole
        node.isFrozen = isFrozen
        try insert(node)
        try db.run("DELETE FROM discarded WHERE file = ?", file)
        try endPreceding(file)
    }
}
