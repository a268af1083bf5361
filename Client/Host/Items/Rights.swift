import BasketSupport
import FileProvider
import FileProviderReplica

/// What people may do with items, as their provider says. It says nothing of what only this device has: with that,
/// everything may be done.
///
/// What is here already is not asked about: who has a file open goes on with it, and a change that waits is sent, for
/// the provider to decide.
struct Rights {
    let reader: ReplicaReader
    /// Whether anything can be moved to the trash.
    let hasTrash: Bool

    /// Any of these changes an item.
    private static let changing: NSFileProviderItemCapabilities = [
        .allowsWriting, .allowsReparenting, .allowsRenaming, .allowsTrashing, .allowsDeleting,
    ]

    /// - Throws: `LocalError.notAllowed`, as all others do.
    func requireWriting(_ id: NodeID) throws {
        try require(.allowsWriting, of: id)
    }

    func requireAdding(to folder: NodeID) throws {
        // What comes into the trash, and what goes, each item says itself.
        if folder != .trash { try require(.allowsAddingSubItems, of: folder) }
    }

    func requireRemoving(_ id: NodeID) throws {
        try require(.allowsDeleting, of: id)
    }

    /// What is said of an item may be changed with any right to change it: there is none for that alone.
    func requireChanging(_ id: NodeID) throws {
        guard let rights = try rights(to: id), rights.isDisjoint(with: Self.changing) else {
            return
        }
        throw LocalError.notAllowed(id)
    }

    /// - Parameter victim: who has the name, and gives way.
    func requireMoving(
        _ id: NodeID, to parent: NodeID, as name: String, replacing victim: NodeID?
    ) throws {
        guard let node = try reader.node(id), let place = node.trees.local else { return }
        if parent != place.parent {
            if parent == .trash {
                guard hasTrash else { throw LocalError.notAllowed(.trash) }
                try require(.allowsTrashing, of: id)
            } else {
                try require(.allowsReparenting, of: id)
                try requireAdding(to: parent)
            }
        }
        // In the trash, names are nobody's wish.
        if !name.hasSameBytes(as: place.name), parent != .trash {
            try require(.allowsRenaming, of: id)
        }
        if let victim, victim != id { try requireReplacing(victim, by: node) }
    }

    /// Who saves a file by way of a new one writes to it; any other one that takes a name has its holder deleted.
    private func requireReplacing(_ victim: NodeID, by node: StoredNode) throws {
        let isSaved =
            try node.kind == .file && rights(to: node) == nil && !node.isUnanswered
            && reader.node(victim)?.kind == .file
        try require(isSaved ? .allowsWriting : .allowsDeleting, of: victim)
    }

    private func require(_ right: NSFileProviderItemCapabilities, of id: NodeID) throws {
        guard let rights = try rights(to: id), !rights.contains(right) else { return }
        throw LocalError.notAllowed(id)
    }

    private func rights(to id: NodeID) throws -> NSFileProviderItemCapabilities? {
        try reader.node(id).flatMap(rights)
    }

    /// Nil where the provider has nothing to say.
    private func rights(to node: StoredNode) -> NSFileProviderItemCapabilities? {
        node.trees.remote == nil || node.exclusion != .no ? nil : node.capabilities
    }
}
