extension Connection {
    /// Writes all that is committed now into a new file, while others read and write. The copy holds
    /// no free pages and needs no log; whoever wants it to outlive a crash synchronises it.
    package func copy(to path: String) throws(SQLiteError) {
        let isReader = try value("PRAGMA query_only", of: Bool.self) ?? false
        // It guards the copy too, which is written by the same connection.
        try execute("PRAGMA query_only = OFF")
        defer {
            // Failing here would leave a reader that may write, which none does.
            if isReader { try? execute("PRAGMA query_only = ON") }
        }
        try run("VACUUM INTO ?", path)
    }
}
