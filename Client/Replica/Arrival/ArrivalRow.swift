import BasketDatabase

/// Something on its way from a tree on the disk into the replica.
package struct ArrivalRow: Sendable {
    package let node: NodeID
    /// The folder that it lies in, under this name.
    let folder: NodeID
    package let name: String
    /// The number that its bytes get.
    package let file: Int64?
    let entry: Entry
}

// The replica's database and the journal have it in a table of the same form.
extension ArrivalRow {
    static let columns = "node, folder, name, file, entry"

    init(_ row: borrowing Row) throws(SQLiteError) {
        node = try row[0]
        folder = try row[1]
        name = try row[2]
        file = try row[3]
        let bytes: [UInt8] = try row[4]
        guard let entry = EntryCoding.decode(bytes) else {
            throw SQLiteError("arrival \(node.rawValue) holds no entry")
        }
        self.entry = entry
    }

    func put(into db: Connection) throws(SQLiteError) {
        try db.run(
            "INSERT OR REPLACE INTO arrival (\(Self.columns)) VALUES (?, ?, ?, ?, ?)",
            node, folder, name, file, EntryCoding.encode(entry))
    }
}
