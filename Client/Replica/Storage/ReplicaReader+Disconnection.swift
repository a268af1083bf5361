import BasketDatabase

extension ReplicaReader {
    /// Nil when the provider may be called.
    package func disconnection() throws -> Disconnection? {
        try db.first("SELECT reason, isTemporary FROM disconnection") { row throws(SQLiteError) in
            Disconnection(reason: try row[0], isTemporary: try row[1])
        }
    }
}

extension ReplicaTransaction {
    package func set(_ disconnection: Disconnection?) throws {
        try db.run("DELETE FROM disconnection")
        if let disconnection {
            try db.run(
                "INSERT INTO disconnection (id, reason, isTemporary) VALUES (1, ?, ?)",
                disconnection.reason, disconnection.isTemporary)
        }
        changes.note(nil, in: nil)
    }
}
