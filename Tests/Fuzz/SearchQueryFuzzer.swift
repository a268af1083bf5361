import BasketDatabase
import BasketStore
import Synchronization

/// What people search for: SQLite takes every expression that is made of it, and what is plain finds
/// itself.
enum SearchQueryFuzzer: Fuzzer {
    static let name = "search-query"

    /// Opened once, and only used under its lock. An unusable one is a finding.
    private static let database = Mutex(try? opened())

    static func feed(_ bytes: [UInt8]) throws(FuzzFinding) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let query = SearchQuery(text) else { return }
        guard !query.words.isEmpty, query.words.count <= 16 else {
            throw FuzzFinding("'\(text)' is taken for \(query.words.count) words")
        }
        let found: Int64?
        do {
            found = try database.withLock { db in try matches(query, of: text, in: db) }
        } catch {
            throw FuzzFinding("'\(text)' makes \(query.expression(in: 1)): \(error)")
        }
        // Beyond ASCII, SQLite's letters are those of an older Unicode than Swift's.
        guard found == 1 || !text.utf8.allSatisfy({ (1..<0x80).contains($0) }) else {
            throw FuzzFinding("'\(text)' does not find itself")
        }
    }

    private static func opened() throws -> Connection {
        let db = try Connection(path: ":memory:", mode: .writer)
        try db.migrate(Schema.migrations)
        return db
    }

    /// How many rows the query finds, when a name is all the text.
    private static func matches(
        _ query: SearchQuery, of name: String, in db: Connection?
    ) throws -> Int64? {
        guard let db else { throw FuzzFinding("there is no database") }
        try db.run(
            "INSERT INTO search (rowid, name, tags, scope) VALUES (1, ?, '', ?)", name,
            SearchQuery.scope(of: 1))
        let found: Int64? = try db.value(
            "SELECT count(*) FROM search WHERE search MATCH ?", query.expression(in: 1))
        try db.run("DELETE FROM search WHERE rowid = 1")
        return found
    }
}
