import BasketDatabase
import BasketModels
import Synchronization

extension Store {
    /// Tells listeners of changes that another process made to the same file; true when there were
    /// any. A command such as `account password` works beside a running server.
    package func noticeForeignChanges() async throws -> Bool {
        let version = try await dataVersion()
        let isOther = foreignVersion.withLock { known in
            defer { known = version }
            return known != version
        }
        guard isOther else { return false }
        let (domains, accounts) = try read { db in
            (
                try db.all("SELECT id, epoch, rank FROM domain WHERE deleted IS NULL") {
                    row throws(SQLiteError) in
                    (id: row.integer(0), Anchor(epoch: row.integer(1), rank: row.integer(2)))
                },
                try db.all("SELECT id FROM account") { row throws(SQLiteError) in row.integer(0) }
            )
        }
        for (domain, anchor) in domains { hub.publish(.changed(domain: domain, anchor)) }
        for account in accounts { hub.publish(.membership(account: account)) }
        return true
    }

    /// It moves when somebody else commits, and only then, on the connection that asks.
    func dataVersion() async throws -> Int {
        try await write { try $0.db.value("PRAGMA data_version") ?? 0 }
    }
}
