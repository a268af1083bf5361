import BasketDatabase
import BasketSupport
import FileProvider

/// Takes in what the journal holds, where the database is gone that it was written beside. The nodes get the numbers
/// and the trees that they had, with the folders that they lie in, as if these few were all that was ever known. What
/// has become of them at the provider is told by the enumeration of everything, as after any long absence; so what was
/// changed here has the base that it had, and what was removed is removed only where nobody has changed it since.
struct UnsentRestoration {
    private let journal: UnsentJournal
    private let transaction: ReplicaTransaction
    private let contents: ContentFiles
    private let world: World
    private let isSameBoot: Bool

    private static let rowsAtOnce = 500

    /// - Parameter isSameBoot: whether the machine has neither crashed nor been switched off since the journal was
    ///   written.
    init(
        _ journal: UnsentJournal, reader: ReplicaReader, contents: ContentFiles, world: World,
        isSameBoot: Bool
    ) {
        self.journal = journal
        self.contents = contents
        self.world = world
        self.isSameBoot = isSameBoot
        transaction = ReplicaTransaction(
            reader: reader, now: world.now(), machine: world.machine, changes: ChangeNotes(),
            unsent: UnsentNotes(journal))
    }

    private var reader: ReplicaReader { transaction.reader }
    private var db: Connection { reader.db }

    /// Takes in all of it, and has the journal begin anew with that.
    func restore() throws {
        journal.forgetFolders()
        transaction.unsent.part = .renewal(isFirst: true, isLast: true)
        var restored: [NodeID] = []
        var last = NodeID(rawValue: 0)
        var newest = Newest(node: journal.lastNode())
        while let (rows, end) = try journal.rows(after: last, limit: Self.rowsAtOnce) {
            for row in rows {
                newest.see(row.node)
                if try restoreIfPossible(row) { restored.append(row.node.id) }
            }
            last = end
        }
        for id in restored { try takeHome(id) }
        try restoreArrivals(&newest)
        for file in journal.droppedFiles {
            newest.file = max(newest.file, file)
            // Else it may be needed again since then.
            if isSameBoot { try db.run("DELETE FROM found WHERE file = ?", file) }
        }
        // No number is given twice.
        try db.run(
            """
            UPDATE replica SET nodes = max(nodes, ?), edits = max(edits, ?), files = max(files, ?)
            """, newest.node, newest.edit, newest.file)
        // Those that have their bytes again need no other one to have them.
        try db.run(
            """
            DELETE FROM found WHERE file IN (SELECT file FROM node WHERE file IS NOT NULL)
                OR file IN (SELECT file FROM arrival WHERE file IS NOT NULL)
            """)
        try transaction.tellUnsent()
    }

    /// What was being moved out of an imported tree goes on its way.
    private func restoreArrivals(_ newest: inout Newest) throws {
        var last = NodeID(rawValue: 0)
        while true {
            guard let (rows, end) = try journal.arrivals(after: last, limit: Self.rowsAtOnce)
            else { return }
            for row in rows {
                newest.see(row)
                guard try reader.node(row.node) == nil else { continue }
                try row.put(into: db)
                transaction.unsent.note(claimed: row)
            }
            last = end
        }
    }

    /// One that cannot be keeps the others from nothing.
    private func restoreIfPossible(_ row: UnsentRow) throws -> Bool {
        do {
            return try db.transaction { try restore(row) }
        } catch let error as SQLiteError where error.isAboutRows {
            world.log.error(
                "something that was not sent cannot be restored",
                [
                    "node": .number(row.node.id.rawValue),
                    "name": .text(row.node.main?.name ?? ""), "error": .text("\(error)"),
                ])
            return false
        }
    }

    /// - Returns: false for what is nowhere any more.
    private func restore(_ row: UnsentRow) throws -> Bool {
        var node = row.node
        guard try !isTaken(node) else { return false }
        node.turn = nil
        node.waits = nil
        node.isWanted = false
        node.basis = nil
        // What else lies in it, nobody knows yet.
        if node.trees.remote != nil || node.trees.synced != nil { node.isListed = false }
        if node.kind == .file, try !bringBytesIfReadable(&node) { return false }
        if let local = node.trees.local, try reader.child(local.name, of: local.parent) != nil {
            node.trees.local?.name = try reader.freeName(like: local.name, in: local.parent)
            node.trees.local?.isBounced = node.trees.synced != nil
        }
        try transaction.insert(node)
        if node.trees.local == nil, node.trees.remote != nil {
            try transaction.noteRemoval(node.id)
        }
        if let file = node.file {
            try transaction.noteVolatile(file)
            // A program that has had it open since before it came here goes on with it.
            let isEdit = node.trees.local?.content.isEdit == true
            if isEdit, (try? world.files.isWritten(contents.path(file))) == true {
                try transaction.noteWriter(of: node.id)
            }
            if row.isBegun { try transaction.noteWriting(of: node.id, in: file, isBegun: true) }
        }
        if let identity = row.identity {
            try db.run("INSERT INTO former (node, identity) VALUES (?, ?)", node.id, identity)
        }
        // The last that was noted may not have been on the disk when the machine stopped.
        let isNew = node.identifier == nil && node.trees.local != nil && node.exclusion == .no
        if row.isOffered || isNew && !isSameBoot {
            try db.run("INSERT OR IGNORE INTO offered (node) VALUES (?)", node.id)
        }
        return true
    }

    private func isTaken(_ node: StoredNode) throws -> Bool {
        if try reader.node(node.id) != nil { return true }
        return try node.identifier.flatMap { try reader.id(of: $0) } != nil
    }

    // MARK: Bytes

    /// What cannot be looked at is not gone: it is as it was noted, and says what is wrong to who reads it.
    private func bringBytesIfReadable(_ node: inout StoredNode) throws -> Bool {
        let noted = node
        do {
            return try bringBytes(&node)
        } catch let error as FileError {
            world.log.error(
                "a file that was not sent cannot be read",
                ["name": .text(noted.main?.name ?? ""), "error": .text("\(error)")])
            node = noted
            node.isFrozen = true
            return true
        }
    }

    /// - Returns: false when they were all that there was of it, and are gone.
    private func bringBytes(_ node: inout StoredNode) throws -> Bool {
        guard node.trees.local != nil else {
            // Asked for it again, the provider is to see that it is the same.
            if try !node.isUnanswered || node.file.map(contents.isThere) == false {
                node.letGoOfContent()
            }
            return true
        }
        guard node.hasOnlyCopy else {
            // They come again from where they came from.
            node.letGoOfContent()
            return true
        }
        guard let file = node.file else { return true }
        guard try contents.isThere(file) else { return giveUpBytes(&node) }
        let size = try contents.open(file).size()
        // Somebody was writing to it. What a crash of the machine has cut off is looked at as after any other.
        if size > node.size || size < node.size && isSameBoot {
            node.size = size
            node.trees.local?.attributes.modified = try world.files.modified(contents.path(file))
        }
        // Somebody may read it still, for whom it was handed over.
        node.isFrozen = true
        return true
    }

    private func giveUpBytes(_ node: inout StoredNode) -> Bool {
        guard node.exclusion == .no, node.trees.remote != nil, let synced = node.trees.synced else {
            return false
        }
        node.trees.local?.content = synced.content
        node.size = node.remoteSize
        node.letGoOfContent()
        return true
    }

    // MARK: Places

    /// What lies in nothing that is here goes to the top.
    private func takeHome(_ id: NodeID) throws {
        guard let local = try reader.node(id)?.trees.local, local.parent > .trash,
            try reader.node(local.parent)?.trees.local?.kind != .folder
        else { return }
        let name = try reader.freeName(like: local.name, in: .root)
        try transaction.update(id) { node in
            node.trees.local?.parent = .root
            node.trees.local?.name = name
        }
    }

    /// The last numbers that were given.
    private struct Newest {
        var node: Int64
        var edit: Int64 = 0
        var file: Int64 = 0

        mutating func see(_ row: ArrivalRow) {
            node = max(node, row.node.rawValue)
            file = max(file, row.file ?? 0)
        }

        mutating func see(_ stored: StoredNode) {
            node = ([stored.id] + stored.homes).map(\.rawValue).reduce(node, max)
            for entry in [stored.trees.local, stored.trees.synced, stored.trees.remote] {
                if case .edit(let number)? = entry?.content { edit = max(edit, number) }
            }
            file = [stored.file, stored.basis?.file].compactMap(\.self).reduce(file, max)
        }
    }
}
