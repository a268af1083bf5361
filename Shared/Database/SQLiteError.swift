import CSQLite

/// What SQLite refused, with its extended code: the code decides, the sentence is for the log.
@usableFromInline
package struct SQLiteError: Error, Equatable, CustomStringConvertible {
    /// The extended result code, or SQLITE_ERROR for what this layer found itself.
    package let code: Int32
    package let message: String

    package init(code: Int32, message: String) {
        self.code = code
        self.message = message
    }

    /// A mistake that this layer found: a column of another type, a file from the future.
    package init(_ message: String) {
        self.init(code: SQLITE_ERROR, message: message)
    }

    init(_ status: Int32, _ db: OpaquePointer?, sql: String? = nil) {
        let extended = db.map { sqlite3_extended_errcode($0) } ?? status
        let text = db.map { String(cString: sqlite3_errmsg($0)) }
        var message = text ?? String(cString: sqlite3_errstr(status))
        if let sql { message += " (in: \(sql.prefix(200)))" }
        self.init(code: extended == SQLITE_OK ? status : extended, message: message)
    }

    private var primary: Int32 { code & 0xff }

    /// Another connection holds the lock, longer than the busy time-out.
    package var isBusy: Bool { primary == SQLITE_BUSY || primary == SQLITE_LOCKED }
    /// The disk is full, or the file may not grow.
    package var isFull: Bool {
        primary == SQLITE_FULL || code == basket_sqlite_ioerr_write
            || code == basket_sqlite_ioerr_shmsize
    }
    /// The disk did not take what was written: the system has forgotten it, and says so only once.
    package var isLostWrite: Bool { code == basket_sqlite_ioerr_fsync }
    /// A row holds what this program never wrote, or was to hold what rows must not: the database itself, and
    /// its disk, are all right.
    package var isAboutRows: Bool { code == SQLITE_ERROR || primary == SQLITE_CONSTRAINT }
    /// The reader was told to stop.
    package var isInterrupted: Bool { primary == SQLITE_INTERRUPT }
    package var isCorrupt: Bool { primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB }

    @usableFromInline
    package var description: String { "SQLite says \(code): \(message)" }
}
