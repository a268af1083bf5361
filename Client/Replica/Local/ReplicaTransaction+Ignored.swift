import BasketDatabase

// What stays here because a rule names it. Who knows the rules looks, when it is its turn, whether they still do.
extension ReplicaTransaction {
    /// The rules have changed.
    package func reconsiderIgnored() throws {
        for (id, _) in try ignored() { try touch(id) }
    }

    /// A folder has moved: what lies below it stayed here for where it was. What is ignored is asked where it lies, not
    /// the folder for all that is in it.
    func reconsiderIgnored(below folder: NodeID) throws {
        var isBelow: [NodeID: Bool] = [:]
        for (id, parent) in try ignored() {
            let lies = try isBelow[parent] ?? reader.lies(parent, below: folder)
            isBelow[parent] = lies
            if lies { try touch(id) }
        }
    }

    private func ignored() throws -> [(id: NodeID, parent: NodeID)] {
        try db.all(
            "SELECT id, parent FROM node WHERE excluded <> 0 AND excluded = ?",
            Exclusion.byRule.rawValue
        ) { row throws(SQLiteError) in (try row[0], try row[1]) }
    }
}
