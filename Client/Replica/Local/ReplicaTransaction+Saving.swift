import BasketSupport
import FileProvider

// Programs save a file by way of another one, so that a whole one is there at any moment. To people it is the same
// file all the time, and so it is to the provider: it keeps its identity and its versions.
extension ReplicaTransaction {
    /// Saving by way of another file: the item that had the name gets the bytes of the one that takes it.
    /// - Parameter second: the same bytes once more, by a number of their own, where the provider may be reading the
    ///   first.
    func replace(
        _ other: NodeID, by node: StoredNode, _ entry: Entry, _ parent: NodeID, _ name: String,
        second: Int64?
    ) throws -> NodeID {
        let (victim, taken) = try local(other)
        guard other != .root, other != .trash else { throw LocalError.permanent }
        if taken.kind == .folder {
            guard entry.kind == .folder else { throw LocalError.isAFolder }
            guard try !reader.hasChildren(other) else { throw LocalError.notEmpty }
        } else if entry.kind == .folder {
            throw LocalError.notAFolder
        }
        guard victim.isSaved(by: node, at: now), !node.isUnanswered || second != nil else {
            try remove(other)
            return try move(node.id, to: parent, as: name)
        }
        var heir = victim
        heir.inherit(from: node, entry)
        if !entry.content.isEdit { heir.trees.local?.content = .edit(try nextEdit()) }
        var gone = node
        gone.trees.local = nil
        if node.isUnanswered {
            // It is to be deleted there, once it has a name; asked for it again, the provider is to see that it is
            // the same.
            gone.trees.synced = entry
            heir.file = second
            heir.isFrozen = true
            if let second { try noteVolatile(second) }
        } else {
            gone.letGoOfContent()
        }
        try moveWriting(from: node.id, to: other)
        try save(gone, before: node.isUnanswered ? node : node.with { $0.file = nil })
        try save(heir, before: victim)
        return other
    }

    /// Saving by way of another name: the item was renamed, so that what it held is kept under that name, and a new
    /// file has its own. It goes back to where it was, with the bytes of the new file; that becomes what is kept.
    /// - Returns: false if that is not what happens here, and nothing was done.
    package func exchange(_ known: NodeID, with new: NodeID) throws -> Bool {
        guard let item = try reader.node(known), let aside = item.trees.local,
            let other = try reader.node(new), let place = other.trees.local,
            item.kind == .file, place.kind == .file, aside.parent == place.parent,
            // What others have deleted meanwhile is theirs to keep deleted.
            item.trees.synced != nil, item.trees.remote != nil, item.exclusion == .no,
            // What has a place there already may only have been moved.
            other.isDraft(at: now), other.trees.remote == nil, item.residence == .whole,
            try !reader.isWrittenInPlace(known)
        else { return false }
        var heir = item
        heir.inherit(from: other, place)
        heir.trees.local?.content = .edit(try nextEdit())
        heir.opened = other.opened
        heir.trees.local?.name = place.name
        heir.trees.local?.isBounced = false
        var kept = other
        kept.trees.local = aside
        kept.trees.local?.content = .edit(try nextEdit())
        kept.size = item.size
        kept.file = item.file
        // The provider may be reading them just now.
        kept.isFrozen = item.file != nil
        try moveWriting(from: new, to: known)
        // One of them has to give way first, to which no name is left meanwhile.
        try freeNames(of: [known, new])
        try save(heir, before: item.with { $0.file = nil })
        try save(kept, before: other.with { $0.file = nil })
        if let file = kept.file { try noteVolatile(file) }
        return true
    }
}

extension StoredNode {
    /// What is younger has no past that anybody could miss.
    private static let draftAge = Duration.seconds(60)

    /// A file that was made a moment ago, and all of which is here: a program may have written it to save another one
    /// by it.
    package func isDraft(at now: Timestamp) -> Bool {
        guard let local = trees.local, local.kind == .file, residence == .whole else {
            return false
        }
        // The provider may have heard of it all the same by now.
        guard let remote = trees.remote else { return trees.synced == nil }
        // What others have made of it meanwhile stays.
        guard exclusion == .no, remote.content == trees.synced?.content, !isUnanswered,
            let created = local.attributes.created
        else { return false }
        return created <= now && created > now - Self.draftAge
    }

    /// Whether another file that takes its name is what a program has saved in its place.
    package func isSaved(by draft: StoredNode, at now: Timestamp) -> Bool {
        trees.local?.kind == .file && trees.synced != nil && draft.isDraft(at: now)
    }

    /// It has another file's bytes from now on, which that gives up.
    fileprivate mutating func inherit(from other: StoredNode, _ entry: Entry) {
        trees.local?.content = entry.content
        trees.local?.attributes.modified = entry.attributes.modified
        trees.local?.attributes.flags = entry.attributes.flags
        size = other.size
        file = other.file
        residence = other.residence
        isFrozen = other.isFrozen
        muted = []
    }
}
