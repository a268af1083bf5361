import BasketDatabase

@testable import BasketStore

/// What must hold of the database at any time, whatever was done: each query finds the offenders.
enum StoreInvariants {
    static let queries: [(name: String, sql: String)] = [
        (
            "a folder counts its children",
            """
            SELECT count(*) FROM item AS folder WHERE deleted IS NULL AND children <> (
                SELECT count(*) FROM item WHERE parent = folder.id AND deleted IS NULL)
            """
        ),
        (
            "a content counts those who bear it",
            """
            SELECT count(*) FROM content WHERE refs <>
                (SELECT count(*) FROM item WHERE item.content = content.id)
                + (SELECT count(*) FROM version WHERE version.content = content.id)
                OR (refs = 0) <> (dead IS NOT NULL) OR (refs = 0 AND data IS NOT NULL)
            """
        ),
        (
            "a chunk counts the contents that bear it",
            """
            SELECT count(*) FROM chunk WHERE refs <>
                (SELECT count(*) FROM content_chunk WHERE content_chunk.chunk = chunk.id)
                OR (refs = 0) <> (dead IS NOT NULL)
            """
        ),
        (
            "a domain counts its bytes",
            """
            WITH part (domain, id, live, used, history) AS (
                SELECT domain, id, deleted IS NULL, size
                    + (SELECT ifnull(sum(size), 0) FROM version WHERE version.item = item.id AND conflict = 1)
                    + (SELECT ifnull(sum(length(data)), 0) FROM thumbnail
                        WHERE thumbnail.item = item.id),
                    (SELECT ifnull(sum(size), 0) FROM version WHERE version.item = item.id AND conflict = 0)
                FROM item)
            SELECT count(*) FROM domain WHERE
                used <> (SELECT sum(iif(live, used, 0)) FROM part WHERE domain = domain.id)
                OR history <> (SELECT sum(iif(live, 0, used) + history) FROM part
                    WHERE domain = domain.id)
                OR items <> (SELECT count(*) - 2 FROM item WHERE domain = domain.id
                    AND deleted IS NULL)
            """
        ),
        (
            "names are where they collide",
            """
            SELECT count(*) FROM item JOIN domain ON domain.id = item.domain
            WHERE (key IS NULL) <> (item.deleted IS NOT NULL OR parent = trash OR parent IS NULL)
            """
        ),
        (
            "what is live reaches the root or the trash",
            """
            WITH RECURSIVE down(id) AS (
                SELECT root FROM domain UNION ALL SELECT trash FROM domain
                UNION ALL SELECT item.id FROM item JOIN down ON item.parent = down.id
                WHERE deleted IS NULL)
            SELECT (SELECT count(*) FROM down) - (SELECT count(*) FROM item WHERE deleted IS NULL)
            """
        ),
        (
            "an item counts its attributes and conflicts, and repeats its content's facts",
            """
            SELECT count(*) FROM item WHERE
                xattrs <> (SELECT count(*) FROM xattr WHERE xattr.item = item.id)
                OR conflicts <> (SELECT count(*) FROM version WHERE version.item = item.id AND conflict = 1)
                OR (thumbnail IS NULL) <> NOT EXISTS (SELECT 1 FROM thumbnail WHERE thumbnail.item = item.id)
                OR (content IS NOT NULL AND (hash, size) IS NOT (
                    SELECT hash, size FROM content WHERE content.id = item.content))
                OR (content IS NULL AND size <> 0)
            """
        ),
        (
            "no rank is ahead of its domain's",
            """
            SELECT count(*) FROM item JOIN domain ON domain.id = item.domain
            WHERE item.rank > domain.rank
            """
        ),
        (
            "what is in the trash knows since when",
            """
            SELECT count(*) FROM item JOIN domain ON domain.id = item.domain
            WHERE item.deleted IS NULL AND (trashed IS NOT NULL) <> ifnull(parent = trash, 0)
            """
        ),
    ]

    /// The names of those that do not hold.
    static func broken(in db: Connection) throws -> [String] {
        try queries.filter { try db.value($0.sql) != Int64(0) }.map(\.name)
    }
}
