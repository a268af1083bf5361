import BasketDatabase

/// What the whole server holds.
package struct Totals: Sendable, Equatable {
    package let accounts: Int64
    package let domains: Int64
    package let items: Int64
    package let used: Int64
    package let history: Int64
}

extension Connection {
    /// Read from the domains' own counters, so that it costs the same with a million items.
    package func totals() throws -> Totals {
        let totals = try first(
            """
            SELECT (SELECT count(*) FROM account), count(*), coalesce(sum(items), 0),
                coalesce(sum(used), 0), coalesce(sum(history), 0) FROM domain
            WHERE deleted IS NULL
            """
        ) { row throws(SQLiteError) in
            Totals(
                accounts: row.integer(0), domains: row.integer(1), items: row.integer(2),
                used: row.integer(3), history: row.integer(4))
        }
        return totals ?? Totals(accounts: 0, domains: 0, items: 0, used: 0, history: 0)
    }
}
