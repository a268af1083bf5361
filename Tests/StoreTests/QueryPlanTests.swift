import BasketDatabase
import BasketModels
import Testing

@testable import BasketStore

@Suite("Every statement of the store")
struct QueryPlanTests {
    /// Tables that grow with what people keep, and must not be walked or sorted as a whole.
    private static let large: Set<String> = [
        "item", "version", "content", "chunk", "content_chunk", "xattr", "removed_xattr",
        "thumbnail", "idempotency",
    ]

    /// What may sort or walk more than it gives, by a piece of its SQL.
    private static let bearable = [
        "FROM member JOIN account": "a domain has few members",
        "SELECT id FROM device": "an account has few devices",
        "'earlier'": "retention keeps few versions of an item",
        "FROM removed_xattr": "few removals are remembered of an item",
        "content.refs = 1": "it walks what was deleted, beside the writes and only on a full disk",
        "is_version": "it stops after the oldest, and runs only when there is history to drop",
        "ORDER BY item.created": "a rare order of one folder is sorted, and keeps a page of it",
        "ORDER BY item.size": "a rare order of one folder is sorted, and keeps a page of it",
        "ORDER BY item.kind": "a rare order of one folder is sorted, and keeps a page of it",
        "FROM search": "what was found is sorted by how well it fits",
    ]

    @Test("finds its rows by an index, and sorts no more than a handful")
    func plans() async throws {
        let run = try await ModelRun(seed: 5)
        for _ in 0..<400 { try await run.step() }
        let fixture = run.fixture
        try await exercise(fixture)
        let written = try await fixture.store.write { $0.db.preparedSQL }
        let sql = try fixture.store.read { Set($0.preparedSQL + written) }
        #expect(sql.count > 60)
        let own = Set(StoreInvariants.queries.map(\.sql) + [ModelItem.lines])
        for statement in sql.subtracting(own).sorted() where !statement.hasPrefix("PRAGMA") {
            let plan = try fixture.store.read { try $0.plan(of: statement) }
            let bad = plan.filter { line in
                line.contains("USE TEMP B-TREE")
                    || Self.large.contains {
                        line == "SCAN \($0)" || line.hasPrefix("SCAN \($0) USING")
                    }
            }
            if Self.bearable.keys.contains(where: { statement.contains($0) }) { continue }
            #expect(bad == [], "\(statement)")
        }
    }

    private func exercise(_ fixture: StoreFixture) async throws {
        // The run may have ended with the trash switched off.
        try await fixture.change { transaction, domain in
            var change = DomainChange()
            change.hasTrash = true
            try transaction.change(domain, change)
        }
        _ = try await fixture.file("exercise", "text")
        for order in ItemOrder.allCases {
            _ = try fixture.names(order: order)
            _ = try fixture.names(in: fixture.trash, order: order)
        }
        let work = try fixture.work
        try await fixture.change { transaction, domain in
            _ = try transaction.indexForSearch(domain: domain.id, limit: 10_000)
            try transaction.forgetExpired()
            _ = try transaction.thinVersions(RetentionPolicy(), after: ItemID(rawValue: 0))
            _ = try transaction.letGo(of: transaction.db.oldestDeleted(limit: 1), until: 1)
            try transaction.lock(domain.root, for: .seconds(5), note: "", in: domain)
        }
        _ = try fixture.store.read { db in
            for cursor in [
                nil,
                ListCursor(
                    order: .name, isDescending: false, key: [97], number: 1, item: work.root),
            ] {
                for folder in [work.root, work.trash] {
                    try db.children(
                        of: db.item(folder, in: work), in: work, order: .name, isDescending: false,
                        after: cursor
                    ) { _ in true }
                }
            }
            if let query = SearchQuery("a") {
                try db.search(query, in: work, skipping: 0, limit: 5) { _ in true }
            }
            return try db.isSearchCurrent(work)
        }
    }
}
