import BasketDatabase
import BasketModels
import Synchronization

extension Store {
    /// Tells listeners of changes that another process made to the same file: a command such as
    /// `account password` works beside a running server.
    ///
    /// - Parameter forget: called before anybody is told, when there were any: what was known may not be
    ///   true any more.
    package func noticeForeignChanges(_ forget: () -> Void) async throws {
        let version = try await dataVersion()
        let isOther = foreignVersion.withLock { known in
            defer { known = version }
            return known != version
        }
        guard isOther else { return }
        forget()
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
    }

    /// It moves when somebody else commits, and only then, on the connection that asks.
    func dataVersion() async throws -> Int {
        try await write { try $0.db.value("PRAGMA data_version") ?? 0 }
    }
}
