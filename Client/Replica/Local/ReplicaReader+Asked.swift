import BasketDatabase
import BasketSupport

// Where something may be at the provider, which was asked for that and has not answered.
extension ReplicaReader {
    /// Where the provider may have made a node by now that is somewhere else here: it was asked to, and nobody has heard
    /// whether it has. Nil where there is no such place, or none any more; and for a file in a folder that stays here, and
    /// that was written to since: that, nobody is sent.
    package func placeMade(of node: StoredNode) throws -> Entry? {
        guard var entry = node.trees.local ?? node.trees.synced, node.isUnanswered,
            node.trees.local == nil || node.trees.synced == nil, node.trees.remote == nil,
            node.exclusion == .no
        else { return nil }
        var places = node.placesAskedFor.map { ($0.parent, $0.name) }
        // Nobody else can have it, and nobody else ever takes it away.
        if let aside = try placeAside(of: node) { places.insert((aside.parent, aside.name), at: 0) }
        if try staysHere(in: entry.parent) {
            if node.file != nil, !node.isFrozen { return nil }
            places.append((entry.parent, entry.name))
        }
        guard let place = try places.first(where: { try isThere($0.0) }) else { return nil }
        (entry.parent, entry.name) = place
        return entry
    }

    /// Where the provider was asked to make a node aside, and has not answered.
    package func placeAside(of node: StoredNode) throws -> Entry? {
        guard node.isUnanswered, node.trees.remote == nil else { return nil }
        let places = node.placesAskedFor
        guard !places.isEmpty else { return nil }
        let name = try nameAside(of: node.id)
        return places.first { $0.name == name }
    }

    private func isThere(_ folder: NodeID) throws -> Bool {
        guard let folder = try node(folder) else { return false }
        return folder.trees.remote != nil && folder.identifier != nil
    }

    /// Whether a node is here, in a folder that stays here.
    package func staysHere(_ node: StoredNode) throws -> Bool {
        try node.trees.local.map { try staysHere(in: $0.parent) } ?? false
    }

    /// Whether what lies in a folder stays here, as that does.
    package func staysHere(in folder: NodeID) throws -> Bool {
        let exclusion: Int? = try db.value("SELECT excluded FROM node WHERE id = ?", folder)
        return exclusion.flatMap(Exclusion.init(rawValue:))?.holdsChildren == true
    }

    /// The nodes that may have a name at the provider without having it here: that was asked for, and nobody has heard
    /// whether it was done.
    package func askers(of name: String, in folder: NodeID) throws -> [StoredNode] {
        let askers = try askers()
        guard !askers.isEmpty else { return [] }
        let key = rule.collisionKey(of: name)
        return askers.filter { node in
            node.placesAskedFor.contains {
                $0.parent == folder && rule.collisionKey(of: $0.name) == key
            }
        }
    }

    /// Those that may be in a folder at the provider without being in it here.
    package func askers(in folder: NodeID) throws -> [StoredNode] {
        try askers().filter { node in node.placesAskedFor.contains { $0.parent == folder } }
    }

    /// All of these names.
    func askedNames() throws -> Set<AskedName> {
        let places = try askers().flatMap(\.placesAskedFor)
        return Set(
            places.map { AskedName(folder: $0.parent, key: rule.collisionKey(of: $0.name)) })
    }

    /// Few at any moment: what is being sent just now, and was removed or changed again meanwhile.
    private func askers() throws -> [StoredNode] {
        try db.all(
            """
            SELECT \(NodeColumn.all) FROM node INDEXED BY node_asked
            WHERE unanswered & 2 <> 0
            """
        ) { row throws(SQLiteError) in try StoredNode(row) }
    }
}
