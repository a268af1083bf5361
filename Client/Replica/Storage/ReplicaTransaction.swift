import BasketDatabase
import BasketSupport
import FileProvider

/// One change of a replica: as a whole or not at all. It keeps what must hold between rows: what asks for
/// attention has a turn, what has a local entry has a key, who waits is woken, and numbers are never given
/// twice.
package struct ReplicaTransaction {
    package let reader: ReplicaReader
    package let now: Timestamp
    /// Names the machine where something is kept beside what others have written.
    let machine: String
    let changes: ChangeNotes
    let unsent: UnsentNotes

    package var db: Connection { reader.db }
    package var rule: CaseRule { reader.rule }

    // MARK: Numbers

    package func nextEdit() throws -> Int64 {
        try next("edits")
    }

    package func nextFile() throws -> Int64 {
        try nextFiles(1).lowerBound
    }

    private func nextTurn() throws -> Int64 {
        try next("turns")
    }

    private func next(_ column: String) throws -> Int64 {
        // SQLite makes a table of what an update returns, which costs more than asking for it.
        try db.run("UPDATE replica SET \(column) = \(column) + 1")
        return try db.value("SELECT \(column) FROM replica") ?? 1
    }

    /// A file was written to that is not known to be on the disk yet. One that the disk has refused once stays refused: what
    /// it did not take then, it does not say again.
    func noteVolatile(_ file: Int64) throws {
        try db.run(
            """
            INSERT INTO volatile (file, since) VALUES (?, ?)
            ON CONFLICT DO UPDATE SET since = max(since, excluded.since)
            """, file, nextTurn())
    }

    // MARK: Nodes

    /// A node that no tree has yet.
    package func makeNode(_ trees: NodeTrees) throws -> StoredNode {
        StoredNode(id: NodeID(rawValue: try next("nodes")), trees: trees)
    }

    /// - Parameter isAtHome: whether its folder is known not to stay here.
    package func insert(_ node: StoredNode, isAtHome: Bool = false) throws {
        var node = node
        if try isToBeWanted(node, before: nil) { node.want = .kept }
        node.countBytes(before: nil)
        try settle(&node, isAtHome: isAtHome)
        try noteMaterialised(node, before: nil)
        try db.run(NodeColumn.insert, scalars: node.values(rule))
        try wake(waitingFor: node.id)
        noteUnsent(node, before: nil)
        changes.note(node.id, in: node.trees.local?.parent)
        if let parent = node.trees.local?.parent { changes.note(namesIn: parent) }
    }

    /// Writes a node as it is now. One that no tree has any more goes.
    /// - Parameter before: as it was, for those who look at the local tree.
    package func save(_ node: StoredNode, before: StoredNode) throws {
        _ = try saved(node, before: before)
    }

    /// The same.
    /// - Returns: it as it is now; nil where it has gone.
    func saved(_ node: StoredNode, before: StoredNode) throws -> StoredNode? {
        var node = node
        for file in Set([before.file, before.basis?.file].compactMap(\.self))
        where node.main == nil || ![node.file, node.basis?.file].contains(file) {
            try drop(file, of: before, for: node.main == nil ? nil : node.file)
        }
        try wake(waitingFor: node.id)
        if let place = before.trees.local, node.trees.local.map(place.isAt) != true {
            try wakeThoseWhoWant(place.name, in: place.parent)
        }
        if node.kind == .folder, node.trees.local?.parent != before.trees.local?.parent {
            // Who is to go into something that lay below this folder waits for somebody else by name, and
            // may go now. Folders move rarely, and few wait for others.
            try db.run(
                "UPDATE node SET waits = NULL WHERE waits >= 0 AND remoteParent IS NOT NULL")
        }
        changes.note(node.id, was: before, in: before.trees.local?.parent)
        noteNames(of: node, before: before)
        try noteMaterialised(node, before: before)
        guard node.main != nil else {
            try db.run("DELETE FROM node WHERE id = ?", node.id)
            noteUnsent(node, before: before)
            return nil
        }
        guard let stored = try NodeUpdate.stored(node.id, in: db) else { return nil }
        // Others may have had it looked at, or woken it, since it was read.
        (node.turn, node.waits) = (stored.turn, stored.waits)
        // What it waited for may be nothing that it waits for now.
        if node.trees != before.trees { node.waits = nil }
        if try isToBeWanted(node, before: before) { node.want = .kept }
        node.countBytes(before: before)
        node.noteDates(since: before, at: now)
        try settle(&node)
        try NodeUpdate.write(node.values(rule), over: stored, in: db)
        noteUnsent(node, before: before)
        if node.turn == nil { try db.run("DELETE FROM trouble WHERE node = ?", node.id) }
        if before.residence == .partial, node.residence != .partial || node.file != before.file {
            try db.run("DELETE FROM range WHERE node = ?", node.id)
        }
        if node.trees.local?.parent != before.trees.local?.parent {
            changes.note(node.id, in: node.trees.local?.parent)
        }
        if node.kind == .folder, let old = before.trees.local, let new = node.trees.local,
            !old.isAt(new)
        {
            try reconsiderIgnored(below: node.id)
        }
        if node.exclusion == .no, before.exclusion != .no, node.kind == .folder {
            try includeChildren(of: node.id)
        }
        if node.exclusion != .no, before.exclusion == .no, node.kind == .folder {
            try touchChildren(of: node.id)
        }
        return node
    }

    private func noteNames(of node: StoredNode, before: StoredNode) {
        let (old, new) = (before.trees.local, node.trees.local)
        if let old, new.map(old.isAt) == true { return }
        for place in [old, new].compactMap(\.self) { changes.note(namesIn: place.parent) }
    }

    /// What lies in a folder stays here with it.
    private func touchChildren(of folder: NodeID) throws {
        let children: [NodeID] = try db.all(
            "SELECT id FROM node WHERE parent = ? AND key IS NOT NULL AND excluded = 0", folder
        ) { row throws(SQLiteError) in try row[0] }
        for child in children { try touch(child) }
    }

    /// What stayed here because of its folder goes with that again.
    private func includeChildren(of folder: NodeID) throws {
        let children: [NodeID] = try db.all(
            "SELECT id FROM node WHERE parent = ? AND excluded <> 0 AND excluded = ?", folder,
            Exclusion.byFolder.rawValue
        ) { row throws(SQLiteError) in try row[0] }
        for child in children { try update(child) { $0.include() } }
    }

    /// Whatever stays here for that reason is offered to the provider again.
    package func include(_ reason: Exclusion) throws {
        let nodes: [NodeID] = try db.all(
            "SELECT id FROM node WHERE excluded <> 0 AND excluded = ?", reason.rawValue
        ) { row throws(SQLiteError) in try row[0] }
        for id in nodes { try update(id) { $0.include() } }
    }

    /// A name has become free, here or at the provider: who has a stand-in for it may get it, and so may who waits for
    /// something else on its way there.
    func wakeThoseWhoWant(_ name: String, in parent: NodeID) throws {
        let wanting: [NodeID] = try db.all(
            """
            SELECT id FROM node
            WHERE remoteParent = ? AND remoteKey = ? AND (turn IS NULL OR waits >= 0)
            """, parent, rule.collisionKey(of: name)
        ) { row throws(SQLiteError) in try row[0] }
        for id in wanting { try touch(id) }
    }

    /// Changes a node, if it is still there.
    @discardableResult
    package func update(
        _ id: NodeID, _ change: (inout StoredNode) throws -> Void
    ) throws -> StoredNode? {
        guard let before = try reader.node(id) else { return nil }
        var node = before
        try change(&node)
        if node != before { try save(node, before: before) }
        return node
    }

    // MARK: Attention

    /// Notes that the trees of a node may differ now, or do not any more.
    private func settle(_ node: inout StoredNode, isAtHome: Bool = false) throws {
        if try node.isSettled && (isAtHome || node.exclusion != .no || !isInExcluded(node)) {
            // Who was told that the wanted name may be free has not been looked at yet.
            if node.trees.local?.isBounced == true, node.turn != nil { return }
            node.turn = nil
            node.waits = nil
        } else if node.turn == nil {
            node.turn = try nextTurn()
        }
    }

    /// Whether it lies in a folder that stays here, as it is to do itself then.
    private func isInExcluded(_ node: StoredNode) throws -> Bool {
        guard let parent = node.trees.local?.parent else { return false }
        return try reader.staysHere(in: parent)
    }

    /// Whoever waited for a node is looked at again when that has changed in any way.
    package func wake(waitingFor id: NodeID) throws {
        try db.run("UPDATE node SET waits = NULL WHERE waits = ?", id)
    }

    package func wait(_ id: NodeID, for other: NodeID) throws {
        try db.run("UPDATE node SET waits = ? WHERE id = ?", other, id)
    }

    /// Has a node looked at again, though nothing of it has changed.
    package func touch(_ id: NodeID) throws {
        try db.run(
            "UPDATE node SET turn = coalesce(turn, ?), waits = NULL WHERE id = ?", nextTurn(), id)
        changes.note(nil, in: nil)
    }

    /// Somebody waits for what is to be done for a node: it comes first, with the folders that it lies in and that have
    /// to come before it.
    /// - Returns: all of these.
    package func hurry(_ id: NodeID) throws -> [NodeID] {
        let first: Int64? = try db.value("SELECT min(turn) FROM node WHERE turn IS NOT NULL")
        var hurried: [NodeID] = []
        var current = id
        while current > .trash, let node = try reader.node(current), node.turn != nil,
            hurried.count < ReplicaReader.deepest
        {
            try db.run(
                """
                UPDATE node SET turn = ?, waits = CASE WHEN waits < 0 THEN NULL ELSE waits END
                WHERE id = ?
                """, first, current)
            hurried.append(current)
            current = node.trees.local?.parent ?? .root
        }
        changes.note(nil, in: nil)
        return hurried
    }

    /// Nothing can be done for a node until something of it changes.
    package func rest(_ id: NodeID) throws {
        try db.run("UPDATE node SET turn = NULL, waits = NULL WHERE id = ?", id)
        try forgetTrouble(of: id)
    }

    /// Nodes that are about to change places give up their names for a moment. Within one transaction.
    package func freeNames(of nodes: [NodeID]) throws {
        for id in nodes { try db.run("UPDATE node SET key = NULL WHERE id = ?", id) }
    }

    // MARK: Trouble

    package func set(_ trouble: Trouble, for node: NodeID) throws {
        try db.run(
            """
            INSERT INTO trouble (node, domain, code, message, since, attempts, retry)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (node) DO UPDATE SET domain = excluded.domain, code = excluded.code,
                message = excluded.message, attempts = excluded.attempts, retry = excluded.retry
            """, node, trouble.domain, trouble.code, trouble.message, trouble.since,
            trouble.attempts, trouble.retry)
        // Nobody waits longer for its name.
        try wake(waitingFor: node)
    }

    /// The system itself does not know how to go on with a node.
    package func setAside(_ id: NodeID, _ message: String, until retry: Timestamp) throws {
        let known = try reader.trouble(of: id)
        try set(
            Trouble(
                domain: Trouble.ownDomain, code: 1, message: message, since: known?.since ?? now,
                attempts: (known?.attempts ?? 0) + 1, retry: retry), for: id)
    }

    package func forgetTrouble(of node: NodeID) throws {
        try db.run("DELETE FROM trouble WHERE node = ?", node)
    }

    /// Everybody who is in that trouble may try again.
    package func resolve(domain: String, code: Int) throws {
        try db.run(
            "UPDATE trouble SET retry = ? WHERE domain = ? AND code = ?", now, domain, code)
        changes.note(nil, in: nil)
    }
}
