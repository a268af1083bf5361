import BasketDatabase
import BasketSupport
import Testing

@Suite("A migration")
struct MigrationTests {
    let steps = [
        Migration("first", sql: "CREATE TABLE a (x INTEGER) STRICT"),
        Migration("second", sql: "CREATE TABLE b (x INTEGER) STRICT"),
    ]

    @Test("runs each step once", arguments: 0...2)
    func once(before: Int) throws {
        let database = try TemporaryDatabase()
        let db = try database.open()
        try db.migrate(Array(steps.prefix(before)))
        try db.migrate(steps)
        try db.migrate(steps)
        #expect(try db.schemaVersion() == 2)
    }

    @Test("takes each step once when two begin together", arguments: 0..<40)
    func together(round: Int) async throws {
        let database = try TemporaryDatabase()
        try database.open().migrate([steps[0]])
        let all =
            steps
            + (3...6).map { number in
                Migration("step \(number)", sql: "CREATE TABLE t\(number) (x INTEGER) STRICT")
            }

        try await withThrowingTaskGroup { group in
            for _ in 0..<2 { group.addTask { try database.open().migrate(all) } }
            try await group.waitForAll()
        }

        #expect(try database.open(.reader).schemaVersion() == 6)
    }

    @Test("passes over what another process did between its look and its lock")
    func overtaken() throws {
        let database = try TemporaryDatabase()
        let other = try database.open()
        try other.execute("BEGIN IMMEDIATE")
        let told = Told()
        let all = steps + [Migration("third") { _ in told.add("third") }]
        let waiting = Thread(name: "migration") {
            do { try database.open().migrate(all) } catch { told.add("\(error)") }
        }
        // So long that it has looked, and waits for the lock.
        _ = Semaphore().wait(upTo: .milliseconds(300))
        try other.execute("CREATE TABLE a (x INTEGER) STRICT; PRAGMA user_version = 1; COMMIT")
        waiting.join()

        #expect(told.all == ["third"])
        #expect(try other.schemaVersion() == 3)
    }

    @Test("leaves the file as it was when it fails")
    func failing() throws {
        let database = try TemporaryDatabase()
        let db = try database.open()
        let broken = Migration("broken", sql: "CREATE TABLE c (x INTEGER) STRICT; NONSENSE")
        #expect(throws: SQLiteError.self) { try db.migrate([steps[0], broken]) }
        #expect(try db.schemaVersion() == 1)
        #expect(try db.value("SELECT count(*) FROM sqlite_schema WHERE name = 'c'") == 0)
    }

    @Test("refuses a file from the future")
    func future() throws {
        let database = try TemporaryDatabase()
        let db = try database.open()
        try db.migrate(steps)
        #expect(throws: NewerSchemaError(found: 2, known: 1)) { try db.migrate([steps[0]]) }
    }
}
