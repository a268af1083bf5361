import BasketDatabase
import Testing

@Suite("A connection")
struct ConnectionTests {
    let database: TemporaryDatabase
    let db: Connection

    init() throws {
        database = try TemporaryDatabase()
        db = try database.withWords()
    }

    @Test("gives back each kind of value as it was bound")
    func roundTrip() throws {
        try db.execute("CREATE TABLE kept (a ANY, b ANY, c ANY, d ANY, e ANY) STRICT")
        try db.run(
            "INSERT INTO kept VALUES (?, ?, ?, ?, ?)", Int64.min, "grün\0!", [UInt8]([0, 255]), 0.5,
            String?.none)
        let row = try #require(
            try db.first("SELECT * FROM kept") { row throws(SQLiteError) in
                (
                    try row[0] as Int64, try row[1] as String, try row[2] as [UInt8],
                    try row[3] as Double, try row[4] as String?
                )
            })
        #expect(row.0 == .min && row.1 == "grün\0!" && row.2 == [0, 255])
        #expect(row.3 == 0.5 && row.4 == nil)
    }

    @Test("keeps what is empty apart from what is missing")
    func empties() throws {
        let texts: [Bool] = try db.all("SELECT ? IS NULL, ? IS NULL", "", [UInt8]()) {
            row throws(SQLiteError) in
            let text: Bool = try row[0]
            let blob: Bool = try row[1]
            return text || blob
        }
        #expect(texts == [false])
    }

    @Test("refuses to read a column as something else")
    func strict() throws {
        #expect(throws: SQLiteError.self) { try db.value("SELECT 'text'", of: Int.self) }
        #expect(throws: SQLiteError.self) {
            try db.first("SELECT NULL") { row throws(SQLiteError) in try row[0] as String }
        }
        #expect(throws: SQLiteError.self) { try db.value("SELECT 2", of: Bool.self) }
    }

    @Test("counts the values against the parameters")
    func parameterCount() {
        #expect(throws: SQLiteError.self) { try db.run("INSERT INTO word VALUES (?, ?)", "one") }
    }

    @Test("may run the same statement while stepping through it")
    func nested() throws {
        for word in ["a", "b"] { try db.add(word) }
        var pairs: [String] = []
        let sql = "SELECT text FROM word ORDER BY text"
        try db.each(sql) { outer throws(SQLiteError) in
            let left: String = try outer[0]
            try db.each(sql) { inner throws(SQLiteError) in
                pairs.append(left + (try inner[0] as String))
                return true
            }
            return true
        }
        #expect(pairs == ["aa", "ab", "ba", "bb"])
    }

    @Test("undoes a transaction that fails, and only that")
    func transactions() throws {
        struct Refused: Error {}
        try db.transaction {
            try db.add("kept")
            try? db.transaction {
                try db.add("undone")
                throw Refused()
            }
            try db.transaction { try db.add("also kept") }
        }
        #expect(throws: Refused.self) {
            try db.transaction {
                try db.add("never")
                throw Refused()
            }
        }
        #expect(try db.words() == ["also kept", "kept"])
    }

    @Test("tells of a commit once, and never of what was undone")
    func afterCommit() throws {
        struct Refused: Error {}
        let told = Told()
        try db.transaction {
            db.afterCommit { told.add("outer") }
            try? db.transaction {
                db.afterCommit { told.add("undone") }
                throw Refused()
            }
            #expect(told.all.isEmpty)
        }
        try db.transaction {}
        #expect(told.all == ["outer"])
    }

    @Test("does not let a reader write")
    func readOnly() throws {
        let reader = try database.open(.reader)
        #expect(throws: SQLiteError.self) { try reader.add("no") }
    }

    private static let endless =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"

    @Test("is stopped by an interrupt")
    func interrupt() throws {
        let interrupter = Interrupter()
        #expect {
            try db.interruptibly(by: interrupter) {
                try db.each(Self.endless) { row throws(SQLiteError) in
                    if row.integer(0) == 1000 { interrupter.interrupt() }
                    return true
                }
            }
        } throws: { error in
            (error as? SQLiteError)?.isInterrupted == true
        }
    }

    @Test("does not begin what was interrupted before, and then goes on with what is not")
    func earlyInterrupt() throws {
        let interrupter = Interrupter()
        interrupter.interrupt()
        #expect {
            try db.interruptibly(by: interrupter) {
                _ = try db.value("SELECT max(i) FROM (\(Self.endless))", of: Int.self)
            }
        } throws: { error in
            (error as? SQLiteError)?.isInterrupted == true
        }
        let some = try db.value(
            "SELECT max(i) FROM (\(Self.endless) LIMIT 100000)", of: Int.self)
        #expect(some == 100_000)
    }

    @Test("reads one state within a snapshot")
    func snapshot() throws {
        let reader = try database.open(.reader)
        try db.add("before")
        try reader.snapshot {
            #expect(try reader.words() == ["before"])
            try db.add("during")
            #expect(try reader.words() == ["before"])
        }
        #expect(try reader.words() == ["before", "during"])
    }
}
