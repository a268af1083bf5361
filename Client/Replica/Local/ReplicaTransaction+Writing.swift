import BasketDatabase
import BasketSupport
import FileProvider

// What people write into files.
extension ReplicaTransaction {
    /// Notes that a file which somebody has open is written to as it is from now on, where it may be.
    /// - Returns: the number of its bytes' file; nil where it is to be written anew.
    package func goOnWriting(
        _ id: NodeID, seen: SeenContent, keepsBytes: Bool
    ) throws -> Int64? {
        guard
            let (before, edit, file) = try reader.writtenInPlace(
                id, seen: seen, keepsBytes: keepsBytes)
        else { return nil }
        try begin(edit, in: file, before, size: before.size, isBegun: false)
        return file
    }

    /// Notes that a file is written anew from now on: what was seen of it, or as much as is to stay of that, is in
    /// another file. From here on its bytes are this device's own, and nothing that comes from the provider goes over
    /// them.
    /// - Parameter keepsBytes: whether what was seen is in that file. Else there is nothing before somebody has written it.
    /// - Returns: the node whose content it is: another one, if the file was written by somebody else since it was
    ///   seen, or deleted by somebody elsewhere.
    package func beginWriting(
        _ id: NodeID, in file: Int64, seen: SeenContent, size: Int64, keepsBytes: Bool
    ) throws -> NodeID {
        let edit = try nextEdit()
        guard let before = try reader.holder(id, seen), let now = SeenContent(before) else {
            return try put(edit, in: file, size: size, where: seen)
        }
        let isSame = now.isSame(as: seen)
        // What only this device has is not written over by who has not seen it.
        guard isSame || !(before.hasOnlyCopy || before.trees.remote == nil) else {
            return try put(edit, in: file, size: size, where: now)
        }
        var base = before
        if !isSame, before.trees.synced != nil {
            // Whoever writes has not seen what has come from the provider since then.
            base.trees.synced?.content = seen.base ?? .handedOver
            try save(base, before: before)
        }
        let isBegun = !keepsBytes && before.size > 0
        try begin(edit, in: file, base, size: size, isBegun: isBegun)
        return before.id
    }

    private func begin(
        _ edit: Int64, in file: Int64, _ before: StoredNode, size: Int64, isBegun: Bool
    ) throws {
        var node = before
        node.take(edit, in: file, size: size, now: now)
        // First of all: what was there stays for as long as that is so.
        try noteWriting(of: node.id, in: file, isBegun: isBegun)
        try saveWritten(node, before: before)
    }

    /// Two programs had the file open, and each has written something else; or it has gone while it was open.
    private func put(
        _ edit: Int64, in file: Int64, size: Int64, where seen: SeenContent
    ) throws -> NodeID {
        let hasFolder = try reader.node(seen.parent)?.trees.local?.kind == .folder
        let parent = hasFolder ? seen.parent : .root
        let entry = Entry(
            parent: parent, name: try reader.freeName(like: seen.name, in: parent), kind: .file,
            content: .edit(edit), attributes: EntryAttributes(created: now, modified: now))
        var node = try makeNode(NodeTrees(local: entry))
        node.take(edit, in: file, size: size, now: now)
        try insert(node)
        try noteWriting(of: node.id, in: file)
        return node.id
    }

    /// Somebody writes to a node's file from now on.
    /// - Parameter isBegun: whether nothing of what was there before is in it.
    func noteWriting(of id: NodeID, in file: Int64, isBegun: Bool = false) throws {
        try db.run(
            """
            INSERT INTO writing (node, file, touched, isBegun) VALUES (?1, ?2, 0, ?3)
            ON CONFLICT DO UPDATE SET file = ?2, touched = 0,
                isBegun = max(?3, CASE WHEN file = ?2 THEN isBegun ELSE 0 END)
            """, id, file, isBegun)
        try noteVolatile(file)
    }

    /// Makes what was written until now the file's content.
    /// - Parameters:
    ///   - modified: when it was; nil when nothing was.
    ///   - touched: the file's own date, by which it is known after a crash whether there is more in it.
    ///   - isOver: whether nobody goes on with it.
    ///   - proven: how long it was when all of it was made safe just now; nil where nobody has asked for that.
    /// - Returns: the node as it is now; nil when the file was removed here, or replaced.
    package func finish(
        _ file: Int64, size: Int64, modified: Timestamp?, touched: Timestamp, isOver: Bool,
        proven: Int64? = nil
    ) throws -> StoredNode? {
        guard let before = try reader.node(file: file), before.trees.local?.content.isEdit == true
        else {
            try noteRescued(file, size: size)
            if try reader.rescued(file) != nil { try noteVolatile(file, size, proven) }
            return nil
        }
        let wasBegun = try reader.isBegun(before.id)
        // Who empties it in the middle of everything writes it anew, too; until somebody is told that it is on the disk.
        let isBegun = !isOver && proven == nil && (wasBegun || size == 0 && before.size > 0)
        if isOver {
            try forgetWriting(of: before.id)
        } else {
            try db.run(
                "UPDATE writing SET touched = ?, isBegun = ? WHERE node = ?", touched, isBegun,
                before.id)
        }
        var node = before
        if let modified { node.trees.local?.attributes.modified = modified }
        node.size = size
        if node != before {
            try saveWritten(node, before: before)
        } else if isBegun != wasBegun {
            noteUnsent(node, before: before)
        }
        try noteVolatile(file, size, proven)
        // Nobody may see again what it was made in place of: an outdated journal would spoil its database.
        if proven != nil { try forgetPredecessor(of: file) }
        // Who waited until nobody writes to it looks again.
        if isOver { try touch(node.id) }
        return node
    }

    private func noteVolatile(_ file: Int64, _ size: Int64, _ proven: Int64?) throws {
        try noteVolatile(file)
        // What was cut off since then is another content. And who writes has seen what is there.
        try db.run(
            """
            UPDATE volatile SET isUnseen = 0,
                proven = coalesce(?3, CASE WHEN proven <= ?2 THEN proven END)
            WHERE file = ?1
            """, file, size, proven)
    }

    /// A file was removed: who has it open goes on in another one.
    func forgetWriting(of id: NodeID) throws {
        try db.run("DELETE FROM writing WHERE node = ?", id)
    }

    /// Takes the bytes of one node for those of another, while programs write them.
    func moveWriting(from old: NodeID, to new: NodeID) throws {
        try forgetWriting(of: new)
        try db.run("UPDATE writing SET node = ? WHERE node = ?", new, old)
    }
}

extension ReplicaReader {
    /// The node of a file that is written to as it is; nil where it is to be written anew.
    ///
    /// What the provider has named, and what is being sent, is written to in a copy: after a crash in the
    /// middle, neither may hold anything else. Beside a program that has had the file open since before it came
    /// here, it is written to as it is: that program would go on in one that is nobody's any more. As long as it
    /// does, nobody is given the file.
    ///
    /// What is to be written anew gets a file of its own, too: else a crash in the middle would leave nothing of what was
    /// never sent.
    fileprivate func writtenInPlace(
        _ id: NodeID, seen: SeenContent, keepsBytes: Bool
    ) throws -> (node: StoredNode, edit: Int64, file: Int64)? {
        guard let node = try holder(id, seen), let now = SeenContent(node),
            case .edit(let edit) = now.content, let file = now.file, now.isSame(as: seen)
        else { return nil }
        let isFree = !node.isFrozen && (keepsBytes || node.size == 0)
        guard try isFree || hasWriter(node.id) else { return nil }
        return (node, edit, file)
    }

    /// The node that somebody has open: another one by now, if it was saved by way of that.
    fileprivate func holder(_ id: NodeID, _ seen: SeenContent) throws -> StoredNode? {
        if let node = try node(id) { return node }
        return try seen.file.flatMap { try node(file: $0) }
    }

    /// The node that has its bytes in a file.
    package func node(file: Int64) throws -> StoredNode? {
        let id: NodeID? = try db.value("SELECT id FROM node WHERE file = ?", file)
        return try id.flatMap { try node($0) }
    }

    /// Whether somebody has begun to write a node's file anew, and nobody has said yet that all of it is there.
    func isBegun(_ id: NodeID) throws -> Bool {
        try db.value("SELECT isBegun FROM writing WHERE node = ?", id) ?? false
    }

    /// Whether a program writes into a node's file as it is.
    package func isWrittenInPlace(_ id: NodeID) throws -> Bool {
        try db.value("SELECT 1 FROM writing WHERE node = ?", id, of: Int.self) != nil
    }
}

extension Replica {
    /// All of a file that nobody writes to just now is on the disk, as a program was told.
    package func prove(_ file: Int64, length: Int64) async throws {
        guard try read({ try $0.isVolatile(file) }) else { return }
        try await write { transaction in
            try transaction.db.run(
                "UPDATE volatile SET proven = ? WHERE file = ?", length, file)
            try transaction.forgetPredecessor(of: file)
        }
    }

    /// A process has died while programs wrote, or could not note what they did: what they have written is what the
    /// files hold.
    /// - Parameter isWritten: whether somebody is writing a node's file.
    package func finishInterrupted(
        unless isWritten: @escaping @Sendable (NodeID) -> Bool = { _ in false }
    ) async throws {
        let interrupted: [(node: NodeID, file: Int64, touched: Timestamp)] = try read { reader in
            try reader.db.all(
                """
                SELECT node, file, touched FROM writing
                WHERE file NOT IN (SELECT file FROM volatile WHERE isUnseen <> 0)
                """
            ) { row throws(SQLiteError) in (try row[0], try row[1], try row[2]) }
        }
        for (node, file, known) in interrupted where !isWritten(node) {
            // It may have gone to another node, whose writer goes on, since it was looked.
            if let holder = try read({ try $0.node(file: file)?.id }), holder != node { continue }
            let path = contents.path(file)
            let (size, touched): (Int64, Timestamp)
            do {
                (size, touched) = try (world.files.size(path), world.files.modified(path))
            } catch  where error.isMissing {
                try await write { transaction in
                    if isWritten(node) { return }
                    try transaction.forgetWriting(of: node)
                    try transaction.touch(node)
                }
                continue
            } catch {
                // Nothing is known of it, so nothing is said of it.
                world.log.warning(
                    "what was written cannot be taken in",
                    ["node": .number(node.rawValue), "error": .text("\(error)")])
                continue
            }
            try await write { transaction in
                // Somebody may have begun since it was looked.
                if isWritten(node) { return }
                _ = try transaction.finish(
                    file, size: size, modified: touched == known ? nil : touched,
                    touched: touched, isOver: true)
                try transaction.forgetWriting(of: node)
            }
        }
    }
}

extension StoredNode {
    fileprivate mutating func take(
        _ edit: Int64, in newFile: Int64, size: Int64, now: Timestamp
    ) {
        if file != newFile {
            if case .version(let version)? = trees.local?.content, let file, residence == .whole,
                canBeFetchedAgain
            {
                // What is sent or fetched next has much in common with it.
                basis = Basis(file: file, version: version)
            }
            file = newFile
            isFrozen = false
        }
        trees.local?.content = .edit(edit)
        trees.local?.attributes.modified = now
        self.size = size
        residence = .whole
        isWanted = false
        opened = now
        muted.subtract([.contents, .contentModificationDate])
    }
}
