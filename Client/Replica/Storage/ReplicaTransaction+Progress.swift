import BasketDatabase

// How far the provider's tree was taken in.
extension ReplicaReader {
    /// The working set's anchor up to which everything was taken in.
    package func anchor() throws -> [UInt8]? {
        try db.value("SELECT anchor FROM replica")
    }

    /// The page with which the first enumeration of the working set goes on.
    package func page() throws -> [UInt8]? {
        try db.value("SELECT page FROM replica")
    }

    /// Whether everything was enumerated once.
    package func isFilled() throws -> Bool {
        try db.value("SELECT isFilled FROM replica") ?? false
    }
}

extension ReplicaTransaction {
    package func set(anchor: [UInt8]?) throws {
        try db.run("UPDATE replica SET anchor = ?", anchor)
    }

    package func set(page: [UInt8]?) throws {
        try db.run("UPDATE replica SET page = ?", page)
    }

    /// Everything is to be enumerated, from the start.
    package func beginFilling() throws {
        try db.run("UPDATE replica SET isFilled = 0, page = NULL")
        try db.execute(
            "CREATE TABLE IF NOT EXISTS seen (identifier TEXT PRIMARY KEY) WITHOUT ROWID")
        try db.run("DELETE FROM seen")
    }

    /// Every folder that is known is known with all that lies in it.
    package func endFilling() throws {
        try db.run("UPDATE replica SET isFilled = 1, page = NULL")
        try db.run("UPDATE node SET listed = 1 WHERE kind = 2 AND listed = 0")
    }

    package func setListed(_ folder: NodeID) throws {
        try update(folder) { $0.isListed = true }
    }
}
