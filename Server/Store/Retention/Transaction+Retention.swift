import BasketDatabase
import BasketModels
import BasketSupport

// Each step is small, so that people's writes get in between.
extension Transaction {
    private static let stepSize = 500
    /// A folder that more items were deleted with is forgotten by a later step.
    private static let mostDetached = 5000

    /// Tombstones that still hold something; word for word as in the index.
    static let isPurgeable = """
        deleted IS NOT NULL \
        AND (content IS NOT NULL OR conflicts > 0 OR thumbnail IS NOT NULL)
        """

    /// Thins out earlier versions of the items after `last`; the last item looked at.
    package func thinVersions(
        _ policy: RetentionPolicy, after last: ItemID
    ) throws -> (step: RetentionStep, last: ItemID) {
        var step = RetentionStep()
        let items: [ItemID] = try db.all(
            """
            SELECT DISTINCT item FROM version
            WHERE item > ? AND conflict = 0 AND superseded < ? ORDER BY item LIMIT ?
            """, last, now - policy.allVersions, Self.stepSize
        ) { row throws(SQLiteError) in try row[0] }
        for id in items {
            guard let item = try db.storedItem(id), let domain = try serverView(of: item.domain)
            else { continue }
            let versions: [(id: Version, superseded: Timestamp)] = try db.all(
                "SELECT id, superseded FROM version WHERE item = ? AND conflict = 0", id
            ) { row throws(SQLiteError) in (try row[0], try row[1]) }
            for version in policy.surplus(versions, at: now) {
                step.freed += try drop(version: version, in: domain)
                step.dropped += 1
            }
        }
        step.isDone = items.count < Self.stepSize
        return (step, items.last ?? last)
    }

    /// Drops the contents of what was deleted long ago.
    package func purgeDeletedContents(_ policy: RetentionPolicy) throws -> RetentionStep {
        try purge(
            """
            SELECT \(ItemColumn.all) FROM item
            WHERE deleted < ? AND \(Self.isPurgeable) ORDER BY deleted LIMIT ?
            """, before: now - policy.deletedContents
        ) { try purgeContents(of: $0.id, in: $1) }
    }

    /// Forgets tombstones that every client has seen by now, or will list anew for.
    package func forgetTombstones(_ policy: RetentionPolicy) throws -> RetentionStep {
        var detached = 0
        var step = try purge(
            """
            SELECT \(ItemColumn.all) FROM item
            WHERE deleted < ? AND deleted IS NOT NULL ORDER BY deleted, id LIMIT ?
            """, before: now - policy.tombstones
        ) { item, domain in
            // What was deleted with it names it as its parent, and goes just as soon.
            let limit = Self.mostDetached - detached
            let children = try detachChildren(of: item.id, limit: limit)
            detached += children
            guard children < limit else { return nil }
            return try forget(item, in: domain)
        }
        step.hasProgress = step.dropped > 0 || detached > 0
        return step
    }

    /// Deletes what has lain in the trash for too long.
    package func emptyTrash(_ policy: RetentionPolicy) throws -> RetentionStep {
        guard let age = policy.trash else { return RetentionStep() }
        var left = Self.mostDeleted
        var step = try purge(
            """
            SELECT \(ItemColumn.all) FROM item
            WHERE trashed < ? AND trashed IS NOT NULL AND deleted IS NULL
            ORDER BY trashed LIMIT ?
            """, before: now - age
        ) { item, domain in
            let name = item.id.description
            guard left > 0 else { return nil }
            let part = try deletePart(
                of: name, base: nil, recursive: true, limit: left, in: domain)
            left -= part
            guard part == 0 else { return nil }
            left -= try deleteCounting(name, base: nil, recursive: true, in: domain)
            return 0
        }
        step.hasProgress = left < Self.mostDeleted
        return step
    }

    /// Answers, locks and the like that have had their time.
    package func forgetExpired() throws {
        try db.run("DELETE FROM idempotency WHERE created < ?", now - Self.answersKept)
        let ended = try db.all("SELECT DISTINCT item FROM lock WHERE expires < ?", now) {
            row throws(SQLiteError) in try row[0] as ItemID
        }
        try db.run("DELETE FROM lock WHERE expires < ?", now)
        for item in ended { try tellOfLock(on: item) }
    }

    /// How long an answer is given again to a request that is sent again.
    package static let answersKept = Duration.seconds(24 * 3600)

    /// - Parameter body: what it freed; nil when another step must go on with the item.
    private func purge(
        _ sql: String, before: Timestamp, _ body: (StoredItem, Domain) throws -> Int64?
    ) throws -> RetentionStep {
        var step = RetentionStep()
        var isUnfinished = false
        let items = try db.all(sql, before, Self.stepSize) { row throws(SQLiteError) in
            try StoredItem(row)
        }
        for item in items {
            guard let domain = try serverView(of: item.domain) else { continue }
            guard let freed = try body(item, domain) else {
                isUnfinished = true
                continue
            }
            step.freed += freed
            step.dropped += 1
        }
        step.isDone = items.count < Self.stepSize && !isUnfinished
        step.hasProgress = step.dropped > 0
        return step
    }

    /// A domain as its owner sees it, for work that the server does by itself.
    func serverView(of domain: Int64) throws -> Domain? {
        try db.first(
            """
            SELECT \(Domain.columns) FROM domain
            JOIN account ON account.id = domain.owner
            JOIN member ON member.domain = domain.id AND member.account = domain.owner
            WHERE domain.id = ?
            """, domain
        ) { row throws(SQLiteError) in try Domain(row) }
    }
}
