import BasketDatabase
import BasketSupport
import FileProvider

// What people do with the tree.
extension ReplicaTransaction {
    /// Makes a folder, a symlink or an empty file.
    /// - Parameter file: the number of one without bytes, into which somebody is about to write what is in it.
    package func make(
        _ name: String, in parent: NodeID, kind: NodeKind, target: String? = nil,
        attributes: EntryAttributes? = nil, writtenIn file: Int64? = nil
    ) throws -> NodeID {
        changes.noteProgram()
        _ = try folder(parent)
        try requireFree(name, in: parent)
        let content: EntryContent =
            switch kind {
            case .folder: .none
            case .symlink: .target(target ?? "")
            case .file: .edit(try nextEdit())
            }
        let entry = Entry(
            parent: parent, name: name, kind: kind, content: content,
            attributes: attributes ?? .made(kind, at: now))
        var node = try makeNode(NodeTrees(local: entry))
        if kind == .file {
            node.residence = .whole
            node.opened = now
            node.file = file
        }
        node.isListed = kind == .folder
        try insert(node)
        if kind != .folder { try confirmRemovals(ofFilesAt: name, in: parent) }
        if let file { try noteWriting(of: node.id, in: file) }
        return node.id
    }

    /// Gives a node another name or another folder.
    /// - Parameters:
    ///   - replaces: whether who has the name gives way, as far as a file system allows it.
    ///   - safe: a file that was made durable just now.
    /// - Throws: `VolatileSuccessor` where that is what is missing.
    /// - Returns: the node that is there now: what a file was saved to by way of another one keeps its identity.
    @discardableResult
    package func move(
        _ id: NodeID, to parent: NodeID, as name: String, replaces: Bool = false,
        safe: Int64? = nil
    ) throws -> NodeID {
        guard id != .root, id != .trash else { throw LocalError.permanent }
        changes.noteProgram()
        let (before, entry) = try local(id)
        _ = try folder(parent)
        if entry.kind == .folder, try reader.lies(parent, below: id) { throw LocalError.intoItself }
        do {
            try requireFree(name, in: parent, for: id)
        } catch LocalError.exists(let other) where replaces {
            return try replace(other, by: before, entry, parent, name, safe: safe)
        }
        var node = before
        if node.isUnanswered, node.trees.remote == nil {
            // That is where the provider may be making it just now.
            node.ask([.filename, .parentItemIdentifier], of: entry)
        }
        node.trees.local?.parent = parent
        node.trees.local?.name = name
        node.trees.local?.isBounced = false
        // What the provider did not take of the place before may be taken now.
        node.muted.subtract([.filename, .parentItemIdentifier])
        node.include()
        try saveChanged(node, before: before)
        if entry.kind != .folder { try confirmRemovals(ofFilesAt: name, in: parent) }
        return id
    }

    /// Takes a node out of the local tree: a folder only when it is empty.
    /// - Parameters:
    ///   - isSaved: whether a new file takes its place, as programs save: nobody does that to many by mistake.
    ///   - heir: the item whose content it has kept while that was saved.
    package func remove(
        _ id: NodeID, isSaved: Bool = false, keptFor heir: NodeID? = nil
    ) throws {
        guard id != .root, id != .trash else { throw LocalError.permanent }
        changes.noteProgram()
        let (before, entry) = try local(id)
        if entry.kind == .folder {
            guard before.isListed else { throw LocalError.unlisted }
            guard try !reader.hasChildren(id) else { throw LocalError.notEmpty }
        }
        if let heir, before.hasOnlyCopy, let file = before.file,
            let successor = try reader.node(heir)?.file,
            // What it has kept may be older than that.
            try reader.predecessor(of: successor) == nil
        {
            // Until what was saved is on the disk, nothing else would be left of either.
            _ = try precede(successor, by: file, of: before)
        }
        var node = before
        node.trees.local = nil
        if node.trees.remote == nil {
            // What the provider may be making just now has to be deleted there, once it has a name.
            node.trees.synced = before.isUnanswered ? before.trees.synced ?? entry : nil
            if before.isUnanswered, before.trees.synced == nil, try reader.staysHere(before) {
                node.trees.synced = try reader.placeMade(of: before) ?? entry
            }
        }
        // Asked for it again, the provider is to see that it is the same: then it can be deleted there.
        if !node.isUnanswered { node.letGoOfContent() }
        try saveChanged(node, before: before)
        try forgetWriting(of: id)
        if node.trees.remote != nil, !isSaved { try noteRemoval(id) }
    }

    /// Changes what is said of a node.
    /// - Parameter isDated: whether its date is set, be it to what it was.
    package func setAttributes(
        of id: NodeID, isDated: Bool = false, _ change: (inout EntryAttributes) -> Void
    ) throws {
        _ = try changed(id, isDated: isDated, change)
    }

    /// The same.
    /// - Returns: it as it is now, and which fields of it have changed.
    package func changed(
        _ id: NodeID, isDated: Bool, _ change: (inout EntryAttributes) -> Void
    ) throws -> (node: StoredNode?, fields: NSFileProviderItemFields) {
        let (before, entry) = try local(id)
        var attributes = entry.attributes
        change(&attributes)
        // What is there already may have come from a provider that takes more.
        guard attributes.extended == entry.attributes.extended || attributes.hasRoom else {
            throw LocalError.tooManyAttributes
        }
        var node = before
        node.trees.local?.attributes = attributes
        if isDated { node.touched = nil }
        // Also where everything is as it was.
        node.changed = now
        let fields = attributes.fields(differingFrom: entry.attributes)
        if id == .root || id == .trash {
            // They are nobody's items: what is said of them is said here.
            node.muted.formUnion(fields)
        } else {
            node.muted.subtract(fields)
        }
        guard attributes != entry.attributes else {
            return (try saved(node, before: before), fields)
        }
        node.include()
        let saved = try saved(node, before: before)
        try forgetTrouble(of: id)
        return (saved, fields)
    }

    /// Writes a node that somebody here has changed. What was wrong with it may not be so any more, and nobody waits
    /// longer than they have to.
    func saveChanged(_ node: StoredNode, before: StoredNode) throws {
        try save(node, before: before)
        try forgetTrouble(of: node.id)
    }

    /// Likewise, of what may be written again and again: it is tried soon, and it stays known how often that has failed.
    func saveWritten(_ node: StoredNode, before: StoredNode) throws {
        try save(node, before: before)
        try db.run(
            "UPDATE trouble SET retry = min(retry, ?1) WHERE node = ?2",
            now + Trouble.soon, node.id)
    }
}

extension StoredNode {
    /// Its bytes are nobody's any more.
    package mutating func letGoOfContent() {
        file = nil
        basis = nil
        residence = .dataless
        isFrozen = false
        isWanted = false
    }
}
