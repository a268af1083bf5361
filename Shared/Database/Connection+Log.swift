import BasketSupport
import CSQLite

// The functions of C that know the gathered log by one another's addresses are called from here alone: each file of Swift
// may have a copy of its own.
extension Connection {
    /// From now on nobody moves the log's pages into the file but who calls `moveLog`, and `logPages`
    /// tells how many it holds. For the writer only.
    func takeOverLog() {
        basket_sqlite_count_log(handle, logLength)
        basket_sqlite_gather_log(handle)
    }

    /// Forgets what was gathered of a transaction that is undone.
    func forgetLog() {
        basket_sqlite_forget_log(handle)
    }

    /// Whether commits to come wait for the disk: one that does not may be undone by a crash of the machine, with all that
    /// come after it, until one that does has come. Where the log was not taken over, all wait.
    func wait(forDisk waits: Bool) {
        guard waits != waitsForDisk else { return }
        waitsForDisk = basket_sqlite_answer_early(handle, waits ? 0 : 1) == 0
    }

    /// How often everything that was committed before was on the disk.
    package var logSyncs: UInt32 { basket_sqlite_log_syncs(handle) }

    /// Has everything on the disk that was committed before: as a commit does that waits for it, but for one that changes
    /// no page, which SQLite does not write. Between two transactions.
    package func syncLog() throws(SQLiteError) {
        let status = basket_sqlite_sync_log(handle)
        guard status == SQLITE_OK else { throw SQLiteError(status, handle, sql: "sync the log") }
    }

    /// How many pages the write-ahead log held after the last commit.
    var logPages: Int { Int(logLength.pointee) }

    /// Moves what no reader needs in the log any more into the file.
    ///
    /// - Returns: how many of the log's pages lie in the file now.
    func moveLog() throws(SQLiteError) -> Int {
        var moved: CInt = 0
        let status = sqlite3_wal_checkpoint_v2(
            handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, &moved)
        guard status == SQLITE_OK else {
            throw SQLiteError(status, handle, sql: "move the log")
        }
        return Int(moved)
    }

    /// Has what was moved on the disk. The log needs that only before it begins anew, and then whoever
    /// moves its last page waits for all of it.
    func syncFile() throws(SQLiteError) {
        let status = basket_sqlite_sync(handle)
        guard status == SQLITE_OK else { throw SQLiteError(status, handle, sql: "sync the file") }
    }

    /// The database's file; nil for one in memory.
    var path: String? {
        guard let name = sqlite3_db_filename(handle, "main"), name.pointee != 0 else { return nil }
        return String(cString: name)
    }
}
