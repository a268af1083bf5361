import BasketDatabase
import BasketSupport
import FileProvider

// What has to go from here although it is nowhere else.
extension ReplicaTransaction {
    /// The provider does not want something that was made here: it goes, with all that was made in it. What was
    /// put into it goes back to where the provider has it; and bytes that are nowhere else are kept aside.
    package func refuse(_ id: NodeID) throws {
        while let child = try reader.children(of: id, limit: 1).first {
            if child.trees.remote == nil {
                try refuse(child.id)
            } else {
                try sendHome(child)
            }
        }
        guard let before = try reader.node(id) else { return }
        try rescue(before, because: "the provider refused it")
        var node = before
        node.trees = NodeTrees()
        try save(node, before: before)
    }

    private func sendHome(_ before: StoredNode) throws {
        guard let remote = before.trees.remote, let local = before.trees.local else { return }
        var node = before
        if local.content.isEdit, let parent = try reader.node(remote.parent),
            parent.trees.local != nil
        {
            node.trees.local?.parent = remote.parent
            node.trees.local?.name = try reader.freeName(like: remote.name, in: remote.parent)
        } else {
            try rescue(before, because: "its folder was refused")
            node.trees.local = nil
            node.trees.synced = nil
            node.letGoOfContent()
        }
        try save(node, before: before)
    }

    /// Notes bytes that only this device has, before their node goes: they are not removed with it.
    package func rescue(_ node: StoredNode, because reason: String) throws {
        guard let local = node.trees.local, let file = node.file else { return }
        // What was brought here once is nowhere else when it came to stay here, and the provider does not take it back.
        let isLeaving = node.exclusion != .no && node.isUnanswered
        let isNew = node.hasOnlyCopy && (node.trees.synced == nil || isLeaving)
        guard local.content.isEdit || isNew else { return }
        // Of what is being written right now, nobody has told yet how long it is.
        guard try node.size > 0 || reader.isWrittenInPlace(node.id) else { return }
        try rescue(
            Rescued(
                file: file, path: reader.path(of: node.id).joined(separator: "/"), size: node.size,
                reason: reason, since: now))
    }

    private func rescue(_ bytes: Rescued) throws {
        try db.run(
            """
            INSERT OR REPLACE INTO rescued (file, path, size, reason, since)
            VALUES (?, ?, ?, ?, ?)
            """, bytes.file, bytes.path, bytes.size, bytes.reason, bytes.since)
    }

    /// A crash of the machine has damaged bytes that are kept aside: what was there before is kept beside what is left.
    func mend(rescued bytes: Rescued, _ left: Remains?, _ former: Predecessor?) throws {
        if left?.isWhole(ofSize: bytes.size) == true { return }
        if let left {
            try noteRescued(bytes.file, size: left.size)
        } else {
            try db.run("DELETE FROM rescued WHERE file = ?", bytes.file)
        }
        guard let former else { return }
        try takeOut(former)
        try rescue(
            Rescued(
                file: former.file, path: bytes.path, size: former.size, reason: bytes.reason,
                since: bytes.since))
    }

    /// A program has gone on with what was noted.
    func noteRescued(_ file: Int64, size: Int64) throws {
        try db.run("UPDATE rescued SET size = ? WHERE file = ?", size, file)
    }

    /// So much time has passed during which somebody could have asked for what was noted. What nobody has asked for
    /// in all of its time goes.
    package func age(rescuedBy passed: Duration, keeping longest: Duration) throws {
        try db.run("UPDATE rescued SET age = age + ?", passed.components.seconds)
        let age = longest.components.seconds
        try db.run(
            "INSERT OR IGNORE INTO discarded (file) SELECT file FROM rescued WHERE age >= ?", age)
        try db.run("DELETE FROM rescued WHERE age >= ?", age)
    }
}

extension ReplicaReader {
    /// Whether something is older than it is kept.
    package func hasForgettable(removals: Timestamp) throws -> Bool {
        try db.value(
            """
            SELECT EXISTS (SELECT 1 FROM removal WHERE since < ? AND \(RemovalRow.isOver))
            """, removals) ?? false
    }
}
