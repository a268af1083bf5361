import BasketDatabase
import BasketStore

/// Works out again what follows from the rest: reference counts, the numbers of items and bytes, the
/// search index. It never touches what somebody stored.
///
/// Only for a data folder that no server is using: it takes long, in one transaction for each kind.
package struct Repair: Sendable {
    private let store: Store

    package init(store: Store) {
        self.store = store
    }

    /// How many rows were mended; the search index is emptied, and filled again by the server.
    package func run() async throws -> Int {
        var mended = 0
        for sql in Self.references {
            mended += try await store.write { try $0.db.run(sql, $0.now) }
        }
        for sql in Self.counts { mended += try await store.write { try $0.db.run(sql) } }
        try await store.write { transaction in
            try transaction.db.run("DELETE FROM search")
            try transaction.db.run("DELETE FROM search_state")
        }
        return mended
    }

    private static let actualReferences = """
        ((SELECT count(*) FROM item WHERE item.content = content.id)
        + (SELECT count(*) FROM version WHERE version.content = content.id))
        """
    private static let actualChunkReferences =
        "(SELECT count(*) FROM content_chunk WHERE content_chunk.chunk = chunk.id)"

    private static func count(_ column: String, _ actual: String, where condition: String) -> String
    {
        """
        UPDATE item SET \(column) = (\(actual)) WHERE \(condition) AND \(column) <> (\(actual))
        """
    }

    private static func sum(_ column: String, _ parts: String) -> String {
        """
        UPDATE domain SET \(column) = (SELECT coalesce(sum(size), 0) FROM (\(parts)))
        WHERE domain.deleted IS NULL AND \(column) <> (SELECT coalesce(sum(size), 0) FROM (\(parts)))
        """
    }

    // Each statement changes only rows that are wrong.

    /// Those that take the time, for what turns out to be dead from now on.
    private static let references = [
        """
        UPDATE content SET refs = \(actualReferences),
            dead = iif(\(actualReferences) > 0, NULL, coalesce(dead, ?))
        WHERE refs <> \(actualReferences) OR (dead IS NULL) <> (\(actualReferences) > 0)
        """,
        """
        UPDATE chunk SET refs = \(actualChunkReferences),
            dead = iif(\(actualChunkReferences) > 0, NULL, coalesce(dead, ?))
        WHERE refs <> \(actualChunkReferences)
            OR (dead IS NULL) <> (\(actualChunkReferences) > 0)
        """,
    ]

    private static let counts = [
        count(
            "children",
            """
            SELECT count(*) FROM item AS inside
            WHERE inside.parent = item.id AND inside.deleted IS NULL
            """, where: "deleted IS NULL"),
        count(
            "conflicts",
            "SELECT count(*) FROM version WHERE version.item = item.id AND version.conflict = 1",
            where: "true"),
        count("xattrs", "SELECT count(*) FROM xattr WHERE xattr.item = item.id", where: "true"),
        """
        UPDATE item SET thumbnail = iif(thumbnail IS NULL, content_version, NULL)
        WHERE (thumbnail IS NOT NULL)
            <> EXISTS (SELECT 1 FROM thumbnail WHERE thumbnail.item = item.id)
        """,
        """
        UPDATE domain SET items = (SELECT count(*) FROM item
            WHERE item.domain = domain.id AND item.deleted IS NULL AND parent IS NOT NULL)
        WHERE domain.deleted IS NULL AND items <> (SELECT count(*) FROM item
            WHERE item.domain = domain.id AND item.deleted IS NULL AND parent IS NOT NULL)
        """,
        sum(
            "used",
            """
            SELECT item.size FROM item WHERE item.domain = domain.id AND item.deleted IS NULL
            UNION ALL SELECT version.size FROM version JOIN item ON item.id = version.item
            WHERE item.domain = domain.id AND item.deleted IS NULL AND conflict = 1
            UNION ALL SELECT length(data) FROM thumbnail JOIN item ON item.id = thumbnail.item
            WHERE item.domain = domain.id AND item.deleted IS NULL
            """),
        sum(
            "history",
            """
            SELECT item.size FROM item WHERE item.domain = domain.id AND item.deleted IS NOT NULL
            UNION ALL SELECT version.size FROM version JOIN item ON item.id = version.item
            WHERE item.domain = domain.id AND (item.deleted IS NOT NULL OR conflict = 0)
            UNION ALL SELECT length(data) FROM thumbnail JOIN item ON item.id = thumbnail.item
            WHERE item.domain = domain.id AND item.deleted IS NOT NULL
            """),
        """
        UPDATE domain SET rank = max(rank, pruned,
            (SELECT max(rank) FROM item WHERE item.domain = domain.id))
        WHERE rank < pruned
            OR rank < (SELECT max(rank) FROM item WHERE item.domain = domain.id)
        """,
        """
        UPDATE server SET reserved = max(\(numbers)) WHERE reserved < max(\(numbers))
        """,
    ]

    /// The largest number of each kind.
    private static let numbers = [
        ("account", "id"), ("device", "id"), ("domain", "id"),
        ("content", "id"), ("chunk", "id"), ("version", "id"), ("item", "id"),
        ("item", "content_version"), ("item", "metadata_version"),
    ].map { table, column in "(SELECT coalesce(max(\(column)), 0) FROM \(table))" }
        .joined(separator: ", ")
}
