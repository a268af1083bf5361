import CSQLite

/// One result row. It can't be copied, so it can't outlive the step that made it.
@usableFromInline
package struct Row: ~Copyable {
    let statement: OpaquePointer

    /// Decodes a column, strictly. Inlined, so that each caller's types are known to the compiler:
    /// a row of thirty columns is decoded for nearly every request.
    @inlinable
    package subscript<Value: SQLiteValue>(column: Int32) -> Value {
        get throws(SQLiteError) {
            if let value = Value(sqlite: scalar(column)) { return value }
            throw mismatch(column, "\(Value.self)")
        }
    }

    package func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(statement, column) == SQLITE_NULL
    }

    /// An integer without the detour through a scalar, for rows read by the thousand; NULL is 0.
    package func integer(_ column: Int32) -> Int64 {
        sqlite3_column_int64(statement, column)
    }

    /// The same where NULL means something. For rows of strict tables, whose columns hold what they are declared to.
    package func optionalInteger(_ column: Int32) -> Int64? {
        isNull(column) ? nil : integer(column)
    }

    /// Likewise of a text.
    package func optionalText(_ column: Int32) -> String? {
        isNull(column)
            ? nil
            : withBytes(column) { span in
                span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
            }
    }

    /// Likewise of a blob.
    package func optionalBytes(_ column: Int32) -> [UInt8]? {
        isNull(column)
            ? nil
            : withBytes(column) { span in
                span.withUnsafeBufferPointer { Array($0) }
            }
    }

    /// Text or a blob where it lies, for rows read by the thousand; NULL is empty.
    package func withBytes<Result>(
        _ column: Int32, _ body: (Span<UInt8>) throws -> Result
    ) rethrows -> Result {
        let start = sqlite3_column_blob(statement, column)
        let count = Int(sqlite3_column_bytes(statement, column))
        let bytes = UnsafeBufferPointer(
            start: start?.assumingMemoryBound(to: UInt8.self), count: start == nil ? 0 : count)
        return try body(bytes.span)
    }

    @usableFromInline
    func mismatch(_ column: Int32, _ type: String) -> SQLiteError {
        let name = sqlite3_column_name(statement, column).map { String(cString: $0) }
        return SQLiteError("column \(name ?? "\(column)") does not hold a \(type)")
    }

    /// A value as SQLite has it, for rows that are compared with what is to be written.
    @usableFromInline
    package func scalar(_ column: Int32) -> SQLiteScalar {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
        case SQLITE_TEXT:
            let start = sqlite3_column_text(statement, column)
            let count = Int(sqlite3_column_bytes(statement, column))
            let bytes = UnsafeBufferPointer(start: start, count: count)
            return .text(String(decoding: bytes, as: UTF8.self))
        case SQLITE_BLOB:
            let start = sqlite3_column_blob(statement, column)
            let count = Int(sqlite3_column_bytes(statement, column))
            let bytes = UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
            return .blob(Array(bytes))
        default: return .null
        }
    }
}
