import BasketDatabase

extension ReplicaReader {
    /// Whether a crash of the machine may take what a file holds.
    func isVolatile(_ file: Int64) throws -> Bool {
        try db.value("SELECT 1 FROM volatile WHERE file = ?", file, of: Int.self) != nil
    }

    /// How long a file was when a program was told that all of it is safe; nil for never, or for what is safe anyway.
    func proven(_ file: Int64) throws -> Int64? {
        try db.value("SELECT proven FROM volatile WHERE file = ?", file) ?? nil
    }
}
