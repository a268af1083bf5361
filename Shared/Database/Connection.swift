import BasketSupport
import CSQLite

/// One open database. Not Sendable, on purpose: it stays with whoever opened it.
package final class Connection {
    /// What a connection may do.
    package enum Mode: Sendable {
        /// The one writer: makes the file where it is missing.
        case writer
        /// Reads beside the writer, each query from a state that was committed.
        case reader
        /// Reads a file that nobody writes, and leaves it and the folder around it as they are.
        case frozen
    }

    /// The library's own settings, before its first use.
    private static let isConfigured = basket_sqlite_without_memory_statistics() == SQLITE_OK

    let handle: OpaquePointer
    /// Where the log's length is noted: C writes it, so it needs a place that does not move.
    let logLength: UnsafeMutablePointer<CInt>
    private var statements: [String: Statement] = [:]
    /// Whether a commit waits until it is on the disk, with all that were before it.
    package internal(set) var waitsForDisk = true
    private var depth = 0
    private var committed: [@Sendable () -> Void] = []
    private var lastCommitted: (@Sendable (Connection) -> Void)?

    /// - Parameters:
    ///   - cacheBytes: how much of the file it may keep in memory.
    ///   - checkpointPages: how many pages the log may hold before they are moved into the file.
    package init(
        path: String, mode: Mode, cacheBytes: Int = 8 << 20, checkpointPages: Int = 8_000
    ) throws(SQLiteError) {
        _ = Self.isConfigured
        var opened: OpaquePointer?
        let flags =
            switch mode {
            case .writer: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .reader: SQLITE_OPEN_READWRITE  // Read-only could not recover a log after a crash.
            case .frozen: SQLITE_OPEN_READONLY
            }
        let status = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
        guard status == SQLITE_OK, let opened else {
            let error = SQLiteError(status, opened, sql: "open \(path)")
            sqlite3_close_v2(opened)
            throw error
        }
        handle = opened
        logLength = .allocate(capacity: 1)
        logLength.initialize(to: 0)
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, 10_000)
        _ = basket_sqlite_defensive(handle)
        if mode != .frozen { try execute("PRAGMA journal_mode = WAL") }
        try execute(
            """
            PRAGMA synchronous = FULL;
            PRAGMA foreign_keys = ON;
            PRAGMA trusted_schema = OFF;
            PRAGMA secure_delete = FAST;
            PRAGMA temp_store = MEMORY;
            PRAGMA cache_size = -\(cacheBytes / 1024);
            PRAGMA wal_autocheckpoint = \(checkpointPages);
            """)
        if mode != .writer { try execute("PRAGMA query_only = ON") }
    }

    deinit {
        statements = [:]
        sqlite3_close_v2(handle)
        logLength.deallocate()
    }

    /// Does something that an interrupter can stop. SQLite's own interruption reaches only statements that run
    /// at that moment, not one that is about to begin.
    package func interruptibly<Result>(
        by interrupter: Interrupter, _ body: () throws -> Result
    ) rethrows -> Result {
        sqlite3_progress_handler(
            handle, Self.stepsBetweenLooks,
            { Unmanaged<Interrupter>.fromOpaque($0!).takeUnretainedValue().isInterrupted ? 1 : 0 },
            Unmanaged.passUnretained(interrupter).toOpaque())
        defer { sqlite3_progress_handler(handle, 0, nil, nil) }
        return try withExtendedLifetime(interrupter) { try body() }
    }

    /// A look at the interrupter costs nothing beside so many of SQLite's steps.
    private static let stepsBetweenLooks: Int32 = 1000

    /// Whether a transaction is open.
    package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// The SQL of every statement that is kept prepared: for tests that look at their plans.
    package var preparedSQL: [String] { statements.keys.sorted() }

    /// How SQLite would go about a statement, a line for each of its loops. Values are not needed.
    package func plan(of sql: String) throws(SQLiteError) -> [String] {
        let statement = try Statement("EXPLAIN QUERY PLAN \(sql)", on: handle)
        var lines: [String] = []
        while try statement.step() { lines.append(try Row(statement: statement.handle)[3]) }
        return lines
    }

    /// Pages of the file that are in memory are read anew when they are needed.
    func releaseMemory() { sqlite3_db_release_memory(handle) }

    // MARK: Statements

    /// Runs SQL that gives no rows and takes no values: a schema, a pragma.
    package func execute(_ sql: String) throws(SQLiteError) {
        let status = sqlite3_exec(handle, sql, nil, nil, nil)
        guard status == SQLITE_OK else { throw SQLiteError(status, handle, sql: sql) }
    }

    /// Runs a statement that changes rows; the number of rows that it changed.
    @discardableResult
    package func run(_ sql: String, _ values: any SQLiteValue...) throws(SQLiteError) -> Int {
        try run(sql, values: values)
    }

    /// The same for values that were gathered one by one.
    @discardableResult
    package func run(_ sql: String, values: [any SQLiteValue]) throws(SQLiteError) -> Int {
        let statement = try begin(sql, values)
        defer { statement.reset() }
        while try statement.step() {}
        return Int(sqlite3_changes64(handle))
    }

    /// The same for values of SQLite's own types, for rows of many columns that are written by the thousand.
    @discardableResult
    package func run(_ sql: String, scalars: [SQLiteScalar]) throws(SQLiteError) -> Int {
        let statement = try begin(sql) { statement throws(SQLiteError) in
            try statement.bind(scalars: scalars)
        }
        defer { statement.reset() }
        while try statement.step() {}
        return Int(sqlite3_changes64(handle))
    }

    /// Every row, decoded.
    package func all<Element>(
        _ sql: String, _ values: any SQLiteValue...,
        decode: (borrowing Row) throws(SQLiteError) -> Element
    ) throws(SQLiteError) -> [Element] {
        let statement = try begin(sql, values)
        defer { statement.reset() }
        var found: [Element] = []
        while try statement.step() { found.append(try decode(Row(statement: statement.handle))) }
        return found
    }

    /// The first row, decoded, or nil where there is none.
    package func first<Element>(
        _ sql: String, _ values: any SQLiteValue...,
        decode: (borrowing Row) throws(SQLiteError) -> Element
    ) throws(SQLiteError) -> Element? {
        try first(sql, values: values, decode: decode)
    }

    /// The same for values that were gathered one by one.
    package func first<Element>(
        _ sql: String, values: [any SQLiteValue],
        decode: (borrowing Row) throws(SQLiteError) -> Element
    ) throws(SQLiteError) -> Element? {
        let statement = try begin(sql, values)
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        return try decode(Row(statement: statement.handle))
    }

    /// The first column of the first row; nil where there is no row, or where it holds NULL.
    package func value<Value: SQLiteValue>(
        _ sql: String, _ values: any SQLiteValue..., of type: Value.Type = Value.self
    ) throws(SQLiteError) -> Value? {
        let statement = try begin(sql, values)
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        return try Row(statement: statement.handle)[0]
    }

    /// Goes through the rows one by one until `body` answers false.
    package func each(
        _ sql: String, _ values: any SQLiteValue...,
        body: (borrowing Row) throws(SQLiteError) -> Bool
    ) throws(SQLiteError) {
        let statement = try begin(sql, values)
        defer { statement.reset() }
        while try statement.step(), try body(Row(statement: statement.handle)) {}
    }

    /// A cached statement with its values bound. The caller resets it.
    private func begin(_ sql: String, _ values: [any SQLiteValue]) throws(SQLiteError) -> Statement
    {
        try begin(sql) { statement throws(SQLiteError) in try statement.bind(values) }
    }

    private func begin(
        _ sql: String, bind: (Statement) throws(SQLiteError) -> Void
    ) throws(SQLiteError) -> Statement {
        var statement: Statement
        if let cached = statements[sql], !cached.isInUse {
            statement = cached
        } else {
            statement = try Statement(sql, on: handle)
            // SQL comes from a bounded set of literals, so the cache is bounded too.
            if statements[sql] == nil { statements[sql] = statement }
        }
        statement.isInUse = true
        do {
            try bind(statement)
        } catch {
            statement.reset()
            throw error
        }
        return statement
    }

    // MARK: Transactions

    /// Runs `body` as a whole or not at all; inside of another one as a savepoint, which can fail
    /// without the other.
    package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        let level = depth
        let registered = committed.count
        try run(level == 0 ? "BEGIN IMMEDIATE" : "SAVEPOINT level\(level)")
        depth += 1
        defer { depth = level }
        do {
            let result = try body()
            try run(level == 0 ? "COMMIT" : "RELEASE level\(level)")
            if level == 0 { tellCommitted() }
            return result
        } catch {
            committed.removeSubrange(registered...)
            undo(to: level)
            throw error
        }
    }

    /// Runs `body` as a part of the transaction that is open, without a savepoint: for what most often
    /// works, or fails before it has changed anything. A savepoint has SQLite copy every page that is
    /// changed inside of it.
    ///
    /// - Throws: `HalfDone` when it failed after a change, which only the end of the whole
    ///   transaction undoes.
    func withoutSavepoint<Result>(_ body: () throws -> Result) throws -> Result {
        let registered = committed.count
        let changes = sqlite3_total_changes64(handle)
        do {
            return try body()
        } catch {
            committed.removeSubrange(registered...)
            guard sqlite3_total_changes64(handle) == changes else {
                throw HalfDone(cause: error)
            }
            throw error
        }
    }

    /// What a part of a transaction left half done.
    struct HalfDone: Error {
        let cause: any Error
    }

    /// Reads of `body` all see the same state.
    package func snapshot<Result>(_ body: () throws -> Result) throws -> Result {
        guard depth == 0 else { return try body() }
        try run("BEGIN")
        depth = 1
        defer {
            depth = 0
            // A read transaction has nothing to lose: a failed end leaves nothing behind.
            _ = try? run("COMMIT")
        }
        return try body()
    }

    /// Has `body` called once the outermost transaction has committed, and never when the part that
    /// asked for it is undone.
    package func afterCommit(_ body: @escaping @Sendable () -> Void) {
        committed.append(body)
    }

    /// The same, once and after all others, for what they have gathered, however many parts of the transaction ask
    /// for it. A connection has one such body. It may be called when the part that asked is undone, and others are not.
    package func afterCommitAtLast(_ body: @escaping @Sendable (Connection) -> Void) {
        lastCommitted = body
    }

    private func tellCommitted() {
        let (waiting, last) = (committed, lastCommitted)
        committed = []
        lastCommitted = nil
        for body in waiting { body() }
        last?(self)
    }

    private func undo(to level: Int) {
        if level == 0 {
            forgetLog()
            lastCommitted = nil
        }
        // SQLite itself rolls back everything after some errors (a full disk, for one); then there
        // is nothing left to undo, and saying so twice must not hide the first error.
        guard isInTransaction else { return }
        if level == 0 {
            try? execute("ROLLBACK")
        } else {
            try? execute("ROLLBACK TO level\(level)")
            try? execute("RELEASE level\(level)")
        }
    }
}
