/// One value of SQLite's own types.
@usableFromInline
package enum SQLiteScalar: Equatable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
}
