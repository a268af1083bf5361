import BasketDatabase
import BasketSupport

extension ReplicaReader {
    /// That name, or the first like it that nobody has in a folder.
    package func freeName(like name: String, in folder: NodeID) throws -> String {
        try child(name, of: folder) == nil ? name : standIn(for: name, in: folder, for: nil)
    }

    /// The first name like that one which nobody else has in a folder.
    /// - Parameter id: whose name it is to be.
    /// - Parameter isFreeThere: whether nobody is to have it at the provider either, as far as that is known.
    package func standIn(
        for name: String, in folder: NodeID, for id: NodeID?, isFreeThere: Bool = false
    ) throws -> String {
        let names = BouncedName(Self.possible(name))
        var index = 0
        while true {
            let candidate = names.candidate(index)
            let holder = try child(candidate, of: folder)?.id
            if holder == nil || holder == id {
                if try !isFreeThere || !isTakenThere(candidate, in: folder) { return candidate }
            }
            index += 1
        }
    }

    /// What a file system takes for a name, as near to that one as can be.
    private static func possible(_ name: String) -> String {
        let characters = name.unicodeScalars.map { $0 == "/" || $0 == "\0" ? "_" : Character($0) }
        return characters.isEmpty ? "_" : String(characters)
    }

    private func isTakenThere(_ name: String, in folder: NodeID) throws -> Bool {
        if try !askers(of: name, in: folder).isEmpty { return true }
        return try db.value(
            "SELECT 1 FROM node WHERE remoteParent = ? AND remoteKey = ?", folder,
            rule.collisionKey(of: name), of: Int.self) != nil
    }

    /// What a node is called at the provider while it breaks a circle of names. Another device may call the same item by
    /// the same number, and has a name of its own for it.
    package func nameAside(of id: NodeID) throws -> String {
        let replica = try identity().prefix(4).reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
        return "\(id.rawValue)-\(String(replica, radix: 36))\(Self.asideSuffix)"
    }

    /// Whether an entry is what a node is asked to be aside.
    package func isAside(_ entry: Entry, _ id: NodeID) throws -> Bool {
        try entry.name.hasSuffix(Self.asideSuffix) && entry.name == nameAside(of: id)
    }

    /// Whether a node is told to be where this device has put it aside.
    func isAside(_ node: StoredNode) throws -> Bool {
        try node.trees.remote.map { try isAside($0, node.id) } ?? false
    }

    private static let asideSuffix = ".basket-aside"
}
