import BasketDatabase
import BasketSupport
import Glibc

/// A database in a folder of its own, gone with the value.
final class TemporaryDatabase: Sendable {
    let folder: String
    var path: String { folder + "/test.db" }

    init() throws {
        let world = World.live(log: .silent)
        folder = "/tmp/basket-database-\(world.randomUInt64())"
        try world.files.makeFolder(folder)
    }

    deinit {
        for suffix in ["", "-wal", "-shm"] { remove(path + suffix) }
        remove(folder)
    }

    func open(_ mode: Connection.Mode = .writer) throws -> Connection {
        try Connection(path: path, mode: mode)
    }

    /// A connection to a file with one table of words.
    func withWords() throws -> Connection {
        let connection = try open()
        try connection.execute("CREATE TABLE word (text TEXT PRIMARY KEY, length INTEGER) STRICT")
        return connection
    }
}

extension Connection {
    func add(_ word: String) throws {
        try run("INSERT INTO word VALUES (?, ?)", word, word.utf8.count)
    }

    func words() throws -> [String] {
        try all("SELECT text FROM word ORDER BY text") { row throws(SQLiteError) in try row[0] }
    }
}
