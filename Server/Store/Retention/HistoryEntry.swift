import BasketDatabase

/// An earlier version, or a tombstone that still holds something: what may make room. The order is that
/// in which it goes.
package struct HistoryEntry: Comparable, Sendable {
    let isVersion: Bool
    let id: Int64
    let since: Int64
    let domain: Int64

    /// From a row of the first four columns, in this order.
    init(_ row: borrowing Row) throws(SQLiteError) {
        isVersion = try row[0]
        id = row.integer(1)
        since = row.integer(2)
        domain = row.integer(3)
    }

    package static func < (left: HistoryEntry, right: HistoryEntry) -> Bool {
        (left.since, left.isVersion ? 1 : 0, left.id)
            < (right.since, right.isVersion ? 1 : 0, right.id)
    }
}
