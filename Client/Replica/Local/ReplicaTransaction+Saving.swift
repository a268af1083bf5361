import BasketSupport
import FileProvider

// Programs save a file by way of another one, so that a whole one is there at any moment. To people it is the same
// file all the time, and so it is to the provider: it keeps its identity and its versions.
extension ReplicaTransaction {
    /// Saving by way of another file: the item that had the name gets the bytes of the one that takes it.
    func replace(
        _ other: NodeID, by node: StoredNode, _ entry: Entry, _ parent: NodeID, _ name: String,
        safe: Int64?
    ) throws -> NodeID {
        let (victim, taken) = try local(other)
        guard other != .root, other != .trash else { throw LocalError.permanent }
        if taken.kind == .folder {
            guard entry.kind == .folder else { throw LocalError.isAFolder }
            guard try !reader.hasChildren(other) else { throw LocalError.notEmpty }
        } else if entry.kind == .folder {
            throw LocalError.notAFolder
        }
        guard taken.kind == .file, entry.kind == .file, node.isOnlyHere,
            victim.trees.synced != nil, node.residence == .whole,
            // Whoever looks after it looks for that node.
            try !reader.hasWriter(node.id)
        else {
            // First of all: what is dropped is forgotten.
            if let file = node.file { try keep(victim, for: file, isSafe: file == safe) }
            try remove(other, isSaved: isDraft(entry))
            return try move(node.id, to: parent, as: name)
        }
        var heir = victim
        heir.inherit(from: node, entry)
        heir.trees.local?.attributes.add(entry.attributes)
        heir.changed = now
        changes.noteProgram()
        changes.note(namesIn: parent)
        var gone = node
        gone.file = nil
        gone.trees = NodeTrees()
        try moveWriting(from: node.id, to: other)
        try save(gone, before: node.with { $0.file = nil })
        try saveChanged(heir, before: victim)
        return other
    }

    /// Saving by way of another name: the item was renamed, so that what it held is kept under that name, and a new
    /// file has its own. It goes back to where it was, with the bytes of the new file; that becomes what is kept.
    ///
    /// The provider knows nothing of it: to it the item has never left its name. Where it does, these are two files.
    /// - Parameter isUndone: whether it is done back: the new file is given up, and the item is what is kept.
    /// - Returns: false if that is not what happens here, or what the item held is not durable, and nothing was done.
    package func exchange(
        _ known: NodeID, with new: NodeID, isUndone: Bool = false
    ) throws -> Bool {
        guard let item = try reader.node(known), let aside = item.trees.local,
            let other = try reader.node(new), let place = other.trees.local,
            item.kind == .file, place.kind == .file, aside.parent == place.parent,
            // What others have deleted or renamed meanwhile is theirs.
            item.trees.synced != nil, let remote = item.trees.remote, item.exclusion == .no,
            isUndone
                || remote.isAt(place) && place.attributes.saysNothing,
            other.isOnlyHere,
            item.residence == .whole, other.residence == .whole,
            try !reader.hasWriter(known), try !reader.hasWriter(new),
            // Who gives up what is still open has it removed.
            try isUndone || !reader.isWrittenInPlace(known),
            // The provider may know it by the other name already.
            item.unheardFields.isDisjoint(with: [.filename, .parentItemIdentifier]),
            // The provider's copy of them is about to be written over.
            try isUndone || item.file.map(reader.isVolatile) != true
        else { return false }
        var heir = item
        heir.inherit(from: other, place)
        if isUndone { heir.trees.local?.attributes = place.attributes }
        heir.opened = other.opened
        heir.changed = now
        heir.trees.local?.name = place.name
        heir.trees.local?.isBounced = false
        var kept = other
        kept.trees.local = aside
        kept.trees.local?.content = .edit(try nextEdit())
        kept.size = item.size
        kept.file = item.file
        // The provider may be reading them just now.
        kept.isFrozen = item.file != nil
        if isUndone {
            try moveWriting(from: known, to: new)
        } else {
            try moveWriting(from: new, to: known)
        }
        changes.noteProgram()
        // One of them has to give way first, to which no name is left meanwhile.
        try freeNames(of: [known, new])
        try saveChanged(heir, before: item.with { $0.file = nil })
        try saveChanged(kept, before: other.with { $0.file = nil })
        if let file = kept.file { try noteVolatile(file) }
        return true
    }
}

extension ReplicaTransaction {
    /// So long ago, at most, somebody has begun to write what takes the place of something else as it is saved.
    private static let longestSave = Duration.seconds(60)

    private func isDraft(_ entry: Entry) -> Bool {
        guard let created = entry.attributes.created else { return false }
        return created > now - Self.longestSave && created <= now
    }
}

extension StoredNode {
    /// The provider has never heard of it: it has no identity and no versions to keep.
    fileprivate var isOnlyHere: Bool {
        trees.synced == nil && trees.remote == nil && !isUnanswered
    }

    /// It has another file's bytes from now on, which that gives up, and its mode.
    fileprivate mutating func inherit(from other: StoredNode, _ entry: Entry) {
        trees.local?.content = entry.content
        trees.local?.attributes.modified = entry.attributes.modified
        trees.local?.attributes.takeMode(from: entry.attributes)
        size = other.size
        file = other.file
        residence = other.residence
        isFrozen = other.isFrozen
        muted = []
    }
}

extension EntryAttributes {
    private static let ownersBits: NSFileProviderFileSystemFlags = [
        .userReadable, .userWritable, .userExecutable,
    ]

    fileprivate mutating func takeMode(from other: EntryAttributes) {
        flags = flags.subtracting(Self.ownersBits).union(other.flags.intersection(Self.ownersBits))
        extended[Self.modeAttribute] = other.extended[Self.modeAttribute]
    }

    /// What was said of another file beside its mode holds of this one, too.
    fileprivate mutating func add(_ other: EntryAttributes) {
        var joined = self
        for (name, value) in other.extended where name != Self.modeAttribute {
            joined.extended[name] = value
        }
        if joined.hasRoom { self = joined }
        tags = other.tags ?? tags
        favoriteRank = other.favoriteRank ?? favoriteRank
    }

    /// Nobody has said anything of it but its mode.
    fileprivate var saysNothing: Bool {
        tags == nil && favoriteRank == nil && typeAndCreator == 0
            && extended.keys.allSatisfy { $0 == Self.modeAttribute }
    }
}
