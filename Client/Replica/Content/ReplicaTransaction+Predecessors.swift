import BasketDatabase
import BasketSupport
import FileProvider

// What only this device has is written over by way of another file, or an item gives way to another one, which nobody makes
// durable at once. Until it is, the one before stays: a crash of the machine would else take both. It goes with the note
// that its successor is not durable.
extension ReplicaReader {
    func predecessor(of file: Int64) throws -> Predecessor? {
        try db.first(
            "SELECT former, size, modified, isPassed FROM predecessor WHERE file = ?", file
        ) { row throws(SQLiteError) in
            Predecessor(
                file: try row[0], size: try row[1], modified: try row[2],
                isPassed: try row[3] != 0)
        }
    }

    func isPredecessor(_ file: Int64) throws -> Bool {
        try db.value("SELECT 1 FROM predecessor WHERE former = ?", file, of: Int.self) != nil
    }

    /// Whether no node holds a file any more, which may be there still.
    func isDropped(_ file: Int64) throws -> Bool {
        try isDiscarded(file) || isPredecessor(file) && node(file: file) == nil
    }
}

extension ReplicaTransaction {
    /// What a node held that has another file from now on, or is gone, is not needed any more; unless a crash of the
    /// machine would leave nothing else.
    func drop(_ file: Int64, of before: StoredNode, for successor: Int64?) throws {
        // What is kept aside is no safer for that than it was.
        if try reader.rescued(file) != nil { return }
        let stays =
            try reader.isPredecessor(file)
            || file == before.file && before.hasOnlyCopy
                && successor.map { try precede($0, by: file, of: before) } == true
        if !stays {
            try db.run("INSERT OR IGNORE INTO discarded (file) VALUES (?)", file)
            try db.run("DELETE FROM volatile WHERE file = ?", file)
        }
        if before.isUnsent { unsent.note(file: file) }
    }

    /// A node is about to be removed, as it is written over by way of another one. The provider is going to hear of that,
    /// and has its bytes for as long as it keeps what was removed.
    /// - Parameter isSafe: whether all of it that was written before is.
    /// - Throws: `VolatileSuccessor` where they are not here, or no safer themselves, so that nothing can be kept.
    func keep(_ victim: StoredNode, for successor: Int64, isSafe: Bool) throws {
        guard victim.kind == .file, victim.size > 0 else { return }
        if victim.residence == .whole, let file = victim.file,
            try victim.hasOnlyCopy || !reader.isVolatile(file)
        {
            _ = try precede(successor, by: file, of: victim)
        } else if try !isSafe && reader.isVolatile(successor) {
            throw VolatileSuccessor()
        }
    }

    /// - Returns: whether the file is to stay for that: where it is not durable itself, what comes before it does.
    func precede(_ successor: Int64, by file: Int64, of before: StoredNode) throws -> Bool {
        guard try reader.isVolatile(successor) else { return false }
        let isVolatile = try reader.isVolatile(file)
        var durable = isVolatile ? try reader.predecessor(of: file) : nil
        if before.isFrozen { durable?.isPassed = true }
        let former =
            durable
            ?? Predecessor(
                file: file, size: before.size,
                modified: before.trees.local?.attributes.modified, isPassed: false)
        // What it had taken the place of itself is a draft of what it is now.
        try forgetPredecessor(of: successor)
        if durable != nil { try db.run("DELETE FROM predecessor WHERE file = ?", file) }
        // What was removed may have come back, and be removed once more.
        try endPreceding(former.file)
        try db.run(
            """
            INSERT INTO predecessor (file, former, size, modified, isPassed)
            VALUES (?, ?, ?, ?, ?)
            """, successor, former.file, former.size, former.modified, former.isPassed ? 1 : 0)
        return durable == nil
    }

    /// It needs none any more, though it may be no safer than before.
    func forgetPredecessor(of file: Int64) throws {
        guard let former = try reader.predecessor(of: file)?.file else { return }
        try endPreceding(former)
        let isHeld = try reader.node(file: former) != nil || reader.rescued(former) != nil
        if !isHeld { try db.run("INSERT OR IGNORE INTO discarded (file) VALUES (?)", former) }
    }

    /// Somebody has it for themselves.
    func endPreceding(_ file: Int64) throws {
        try db.run("DELETE FROM predecessor WHERE former = ?", file)
    }

    /// The content before is somebody's again.
    func takeOut(_ former: Predecessor) throws {
        try endPreceding(former.file)
        if let removed = try reader.node(file: former.file) {
            try mend(removed: removed, isWhole: false)
            try db.run("DELETE FROM discarded WHERE file = ?", former.file)
        }
        unsent.note(file: former.file)
    }

    /// A crash of the machine has damaged what was written last: the content before that is the node's again.
    func goBack(to former: Predecessor, _ before: StoredNode) throws {
        try takeOut(former)
        var node = before
        node.file = former.file
        node.size = former.size
        node.residence = .whole
        // It may be on its way.
        node.isFrozen = true
        node.trees.local?.content = .edit(try nextEdit())
        node.trees.local?.attributes.modified = former.modified
        try save(node, before: before)
    }
}
