import BasketDatabase
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
