import BasketSupport

/// One value of SQLite's own types.
@usableFromInline
package enum SQLiteScalar: Equatable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    /// As SQLite compares them: what is the same to Unicode alone is not the same text.
    @usableFromInline
    package static func == (one: SQLiteScalar, other: SQLiteScalar) -> Bool {
        switch (one, other) {
        case (.null, .null): true
        case (.integer(let one), .integer(let other)): one == other
        case (.real(let one), .real(let other)): one == other
        case (.text(let one), .text(let other)): one.hasSameBytes(as: other)
        case (.blob(let one), .blob(let other)): one == other
        default: false
        }
    }
}
