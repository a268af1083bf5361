import BasketDatabase

/// How a node's row is written again. SQLite writes an index's entry anew for every column that is set, whether or
/// not it has another value: those that indexes and triggers look at are set only where one of their group has.
enum NodeUpdate {
    /// What changes together. Each group more has as many statements again.
    private static let groups: [[NodeColumn]] = [
        [.identifier],
        [.parent, .name, .kind, .key, .remoteParent, .remoteKey],
        [.trees, .synced, .excluded, .unanswered, .unheard],
        [.residence, .file, .basis, .here, .opened, .listed],
        [.policy, .type, .wanted],
        [.turn, .waits],
    ]
    /// What no index looks at is set each time.
    static let others = NodeColumn.allCases.filter { column in
        column != .id && !groups.contains { $0.contains(column) }
    }
    private static let watched = groups.flatMap(\.self)

    private static let turn = watched.firstIndex(of: .turn).map(Int32.init) ?? 0
    private static let waits = watched.firstIndex(of: .waits).map(Int32.init) ?? 0

    private static let select =
        "SELECT \(watched.map { "\($0)" }.joined(separator: ", ")) FROM node WHERE id = ?"

    /// The columns that are set, and the statement for it, by the groups' bits.
    private static let forms = (0..<1 << groups.count).map { bits in
        let columns =
            groups.indices.filter { bits >> $0 & 1 != 0 }.flatMap { groups[$0] } + others
        let settings = columns.map { "\($0) = ?" }.joined(separator: ", ")
        return (columns: columns, sql: "UPDATE node SET \(settings) WHERE id = ?")
    }

    /// What stands in a row.
    struct Stored {
        let turn: Int64?
        let waits: NodeID?
        fileprivate let watched: [SQLiteScalar]
    }

    static func stored(_ id: NodeID, in db: Connection) throws -> Stored? {
        try db.first(select, id) { row throws(SQLiteError) in
            var values: [SQLiteScalar] = []
            values.reserveCapacity(watched.count)
            for column in watched.indices { values.append(row.scalar(Int32(column))) }
            return Stored(
                turn: try row[turn], waits: try row[waits], watched: values)
        }
    }

    /// - Parameter values: of all columns, in their order.
    static func write(_ values: [SQLiteScalar], over stored: Stored, in db: Connection) throws {
        var (bits, next) = (0, 0)
        for (group, columns) in groups.enumerated() {
            for column in columns {
                if values[Int(column.rawValue)] != stored.watched[next] { bits |= 1 << group }
                next += 1
            }
        }
        let form = forms[bits]
        try db.run(
            form.sql,
            scalars: form.columns.map { values[Int($0.rawValue)] }
                + [values[Int(NodeColumn.id.rawValue)]])
    }
}
