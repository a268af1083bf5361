import CSQLite

/// One prepared statement. It belongs to its connection and is used by one call at a time.
final class Statement {
    let handle: OpaquePointer
    let sql: String
    /// True while a call steps through it: a nested call with the same SQL prepares its own.
    var isInUse = false

    init(_ sql: String, on db: OpaquePointer) throws(SQLiteError) {
        var prepared: OpaquePointer?
        let status = sqlite3_prepare_v3(
            db, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard status == SQLITE_OK, let prepared else { throw SQLiteError(status, db, sql: sql) }
        self.sql = sql
        handle = prepared
    }

    deinit {
        sqlite3_finalize(handle)
    }

    func bind(_ values: [any SQLiteValue]) throws(SQLiteError) {
        guard values.count == sqlite3_bind_parameter_count(handle) else {
            throw SQLiteError("\(values.count) values for the parameters of: \(sql)")
        }
        for (index, value) in values.enumerated() {
            try bind(value.sqlite, at: Int32(index + 1))
        }
    }

    func bind(scalars: [SQLiteScalar]) throws(SQLiteError) {
        guard scalars.count == sqlite3_bind_parameter_count(handle) else {
            throw SQLiteError("\(scalars.count) values for the parameters of: \(sql)")
        }
        for (index, scalar) in scalars.enumerated() { try bind(scalar, at: Int32(index + 1)) }
    }

    private func bind(_ scalar: SQLiteScalar, at index: Int32) throws(SQLiteError) {
        let status =
            switch scalar {
            case .null: sqlite3_bind_null(handle, index)
            case .integer(let number): sqlite3_bind_int64(handle, index, number)
            case .real(let number): sqlite3_bind_double(handle, index, number)
            case .text(var text):
                text.withUTF8 { bytes in
                    // An empty buffer may have no address, and SQLite takes that for NULL.
                    bytes.isEmpty
                        ? basket_sqlite_bind_text(handle, index, "", 0)
                        : bytes.withMemoryRebound(to: CChar.self) {
                            basket_sqlite_bind_text(
                                handle, index, $0.baseAddress, Int32($0.count))
                        }
                }
            case .blob(let bytes):
                bytes.isEmpty
                    ? sqlite3_bind_zeroblob(handle, index, 0)
                    : bytes.withUnsafeBytes {
                        basket_sqlite_bind_blob(handle, index, $0.baseAddress, Int32($0.count))
                    }
            }
        guard status == SQLITE_OK else {
            throw SQLiteError(status, sqlite3_db_handle(handle), sql: sql)
        }
    }

    /// True when there is a row to read.
    func step() throws(SQLiteError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let status: throw SQLiteError(status, sqlite3_db_handle(handle), sql: sql)
        }
    }

    /// Ready for the next call; what was bound is let go.
    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
        isInUse = false
    }
}
