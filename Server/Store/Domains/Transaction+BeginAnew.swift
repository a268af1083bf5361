import BasketDatabase

extension Transaction {
    /// Makes a server of its own out of a restored copy: what the copied server did after the copy was
    /// made is lost, and nobody may take this one's future for that one.
    ///
    /// Every domain gets a new epoch, so that no client trusts an anchor from there, and the server a
    /// new name. Numbers go on above all that the other one may have given, also ahead of its clock.
    package func beginAnew() throws {
        try leapAhead()
        try db.run("UPDATE server SET name = ?", newName())
        let domains = try db.all("SELECT id FROM domain ORDER BY id") {
            row throws(SQLiteError) in row.integer(0)
        }
        for domain in domains {
            try db.run("UPDATE domain SET epoch = ? WHERE id = ?", newName(), domain)
        }
    }
}
