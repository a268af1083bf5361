import BasketDatabase

extension ReplicaTransaction {
    /// What lies below a folder that has moved stayed here for where it was: whether it still does is seen when it is
    /// its turn. What is ignored is asked where it lies, not the folder for all that is in it.
    func reconsiderIgnored(below folder: NodeID) throws {
        let ignored: [(id: NodeID, parent: NodeID)] = try db.all(
            "SELECT id, parent FROM node WHERE excluded <> 0 AND excluded = ?",
            Exclusion.byRule.rawValue
        ) { row throws(SQLiteError) in (try row[0], try row[1]) }
        var isBelow: [NodeID: Bool] = [:]
        for (id, parent) in ignored {
            let lies = try isBelow[parent] ?? reader.lies(parent, below: folder)
            isBelow[parent] = lies
            if lies { try update(id) { $0.include() } }
        }
    }
}
