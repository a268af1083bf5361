import BasketDatabase
import BasketSupport

// What is in the journal, for a replica that has nothing else.
extension UnsentJournal {
    /// Some of its rows, by number, and the last number that was looked at. One that nobody understands is left out.
    func rows(after last: NodeID, limit: Int) throws -> (rows: [UnsentRow], last: NodeID)? {
        try read { connection in
            let ids = try numbers(
                connection, last, limit,
                upward: "SELECT id FROM node WHERE id > ? ORDER BY id LIMIT ?",
                downward: "SELECT id FROM node WHERE id > ? ORDER BY id DESC")
            guard let newest = ids.last else { return nil }
            return (try ids.compactMap { try row($0, connection) }, newest)
        } ?? nil
    }

    private func row(_ id: NodeID, _ connection: Connection) throws -> UnsentRow? {
        let extra = Int32(NodeColumn.allCases.count)
        return try understood(id) {
            try connection.first(
                "SELECT \(UnsentSchema.columns) FROM node WHERE id = ?", id
            ) { row throws(SQLiteError) in
                UnsentRow(
                    node: try StoredNode(row), isOffered: try row[extra + 1],
                    identity: try row[extra + 2], isBegun: try row[extra + 3] ?? false)
            }
        }
    }

    /// The same for what was on its way out of an imported tree.
    func arrivals(
        after last: NodeID, limit: Int
    ) throws -> (rows: [ArrivalRow], last: NodeID)? {
        try read { connection -> (rows: [ArrivalRow], last: NodeID)? in
            let ids = try numbers(
                connection, last, limit,
                upward: "SELECT node FROM arrival WHERE node > ? ORDER BY node LIMIT ?",
                downward: "SELECT node FROM arrival WHERE node > ? ORDER BY node DESC")
            guard let newest = ids.last else { return nil }
            let rows = try ids.compactMap { id in
                try understood(id) {
                    try connection.first(
                        "SELECT \(ArrivalRow.columns) FROM arrival WHERE node = ?", id
                    ) { row throws(SQLiteError) in try ArrivalRow(row) }
                }
            }
            return (rows, newest)
        } ?? nil
    }

    /// The numbers of some rows behind that one. A page that cannot be read takes its own rows with it and no others:
    /// behind it, they are reached from the end.
    private func numbers(
        _ connection: Connection, _ last: NodeID, _ limit: Int, upward: String, downward: String
    ) throws(SQLiteError) -> [NodeID] {
        var numbers: [NodeID] = []
        do {
            _ = try connection.all(upward, last, limit) { row throws(SQLiteError) in
                numbers.append(try row[0])
            }
            return numbers
        } catch  where error.isCorrupt {
            // Those before it come first.
            if !numbers.isEmpty { return numbers }
            world.log.error(
                "a part of the journal cannot be read",
                ["behind": .number(last.rawValue), "error": .text("\(error)")])
        }
        do {
            _ = try connection.all(downward, last) { row throws(SQLiteError) in
                numbers.append(try row[0])
            }
        } catch  where error.isCorrupt {
            // That is where it was met from the other side.
        }
        return Array(numbers.reversed().prefix(limit))
    }

    private func understood<Result>(
        _ id: NodeID, _ read: () throws -> Result?
    ) throws -> Result? {
        do {
            return try read()
        } catch let error as SQLiteError {
            // Another page of it may be fine.
            guard error.isAboutRows || error.isCorrupt else { throw error }
            world.log.error(
                "a row of the journal makes no sense",
                ["node": .number(id.rawValue), "error": .text("\(error)")])
            return nil
        }
    }
}

// What of it should be the same as in the replica's database.
extension UnsentJournal {
    /// What is wrong with its file. Nothing is committed meanwhile.
    func damages(isQuick: Bool) throws -> [String] {
        try read { try ReplicaCheck.damages(of: $0, isQuick: isQuick) } ?? []
    }

    func holdsUnsent(_ id: NodeID) throws -> Bool {
        try read {
            try $0.value("SELECT isUnsent FROM node WHERE id = ?", id, of: Bool.self) ?? false
        } ?? false
    }

    func unsent(after last: NodeID, limit: Int) throws -> [NodeID] {
        try read { connection in
            try connection.all(
                "SELECT id FROM node WHERE id > ? AND isUnsent <> 0 ORDER BY id LIMIT ?", last,
                limit
            ) { row throws(SQLiteError) in try row[0] }
        } ?? []
    }
}
