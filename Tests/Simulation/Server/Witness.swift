import BasketDatabase
import BasketStore
import BasketSupport

/// Writes down in the server's database, in the very transaction in which it happens, what must never happen there, and
/// what may happen only after some time. It says nothing that the server could see.
enum Witness {
    /// Something that is kept for a while has gone.
    struct Departure: Sendable {
        let words: String
        let term: String
        let since: Timestamp
        /// Whether there was no quota for which it could have made room.
        let hadRoom: Bool
    }

    /// What lost a race, beside something that lay in the same folder just then.
    struct Copy: Sendable {
        let name: String
        let content: Int64
        let other: String
        let otherContent: Int64
        /// Whether it is dated before that, and of the same device: nothing tells that it is the newer one, then.
        let isOlder: Bool

        /// Whether it is called after that. What a program keeps of a copy when it saves that, may be called as a copy of
        /// what it has kept of the other one.
        var isOfOther: Bool {
            if [".bak", "~"].contains(where: other.hasSuffix) { return false }
            return name.replacing(#/ \(conflict[^)]*\)( [0-9]+)?/#, with: "") == other
        }
    }

    static func watch(_ db: Connection) throws {
        try db.execute(tables + conflicts + contents + departures + copies)
    }

    private static let tables = """
        CREATE TABLE IF NOT EXISTS witness_oddity (id INTEGER PRIMARY KEY, words TEXT NOT NULL);
        CREATE TABLE IF NOT EXISTS witness_departure (
            id INTEGER PRIMARY KEY, words TEXT NOT NULL, term TEXT NOT NULL, since INTEGER NOT NULL,
            hadRoom INTEGER NOT NULL
        );
        CREATE TABLE IF NOT EXISTS witness_copied (item INTEGER PRIMARY KEY);
        CREATE TABLE IF NOT EXISTS witness_copy (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL, content INTEGER NOT NULL, hash BLOB NOT NULL,
            other TEXT NOT NULL, otherContent INTEGER NOT NULL, otherHash BLOB NOT NULL,
            older INTEGER NOT NULL
        );
        """

    /// The same bytes are never a conflict, and nobody conflicts with what they have seen, or with themselves: but for
    /// what was longer on its way.
    private static let conflicts = """
        CREATE TRIGGER IF NOT EXISTS witness_conflict AFTER INSERT ON version WHEN new.conflict = 1
        BEGIN
            INSERT INTO witness_oddity (words)
            SELECT 'the same bytes conflict in ' || name FROM item
            WHERE id = new.item AND hash = new.hash;
            INSERT INTO witness_oddity (words)
            SELECT 'a change of what is there conflicts in ' || name FROM item
            WHERE id = new.item AND content_version = new.base;
            INSERT INTO witness_oddity (words)
            SELECT 'the same bytes conflict twice in ' || item.name
            FROM version JOIN item ON item.id = version.item
            WHERE version.item = new.item AND version.conflict = 1 AND version.hash = new.hash
                AND version.id <> new.id;
            INSERT INTO witness_oddity (words)
            SELECT 'a device conflicts with itself in ' || name FROM item
            WHERE id = new.item AND device = new.device AND base = new.base
                AND modified <= new.modified AND new.stored - stored > 60000000000;
        END;
        """

    /// Nothing goes over what its writer had not seen, and what it goes over is kept.
    private static let contents = """
        CREATE TRIGGER IF NOT EXISTS witness_content AFTER UPDATE OF content, content_version ON item
        WHEN old.content IS NOT NULL AND new.content IS NOT NULL
        BEGIN
            INSERT INTO witness_oddity (words)
            SELECT 'what was written over in ' || old.name || ' is no version'
            WHERE old.content <> new.content AND NOT EXISTS (
                SELECT 1 FROM version WHERE id = old.content_version AND item = old.id
                    AND content = old.content AND conflict = 0);
            INSERT INTO witness_oddity (words)
            SELECT 'somebody has written over what they had not seen in ' || old.name
            WHERE old.content <> new.content AND new.base IS NOT old.content_version
                AND NOT (old.base IS new.base AND old.device IS new.device);
            INSERT INTO witness_oddity (words)
            SELECT old.name || ' has another content under the same version'
            WHERE old.content <> new.content AND old.content_version >= new.content_version;
        END;
        CREATE TRIGGER IF NOT EXISTS witness_version
        AFTER UPDATE OF id, item, content, hash, size ON version
        BEGIN
            INSERT INTO witness_oddity (words) VALUES ('a version has become another one');
        END;
        """

    /// What retention promises for some time.
    private static let departures = """
        CREATE TRIGGER IF NOT EXISTS witness_dropped AFTER DELETE ON version
        BEGIN
            INSERT INTO witness_oddity (words)
            SELECT 'a conflict has been dropped in ' || name FROM item
            WHERE id = old.item AND old.conflict = 1 AND deleted IS NULL;
            INSERT INTO witness_departure (words, term, since, hadRoom)
            SELECT 'a version of ' || item.name, 'version', old.superseded, domain.quota IS NULL
            FROM item JOIN domain ON domain.id = item.domain
            WHERE item.id = old.item AND old.conflict = 0;
            INSERT INTO witness_departure (words, term, since, hadRoom)
            SELECT 'a conflict of the deleted ' || item.name, 'deleted', item.deleted,
                domain.quota IS NULL
            FROM item JOIN domain ON domain.id = item.domain
            WHERE item.id = old.item AND item.deleted IS NOT NULL AND old.conflict = 1;
        END;
        CREATE TRIGGER IF NOT EXISTS witness_purged AFTER UPDATE OF content ON item
        WHEN old.content IS NOT NULL AND new.content IS NULL
        BEGIN
            INSERT INTO witness_oddity (words)
            SELECT old.name || ' has lost its content' WHERE old.deleted IS NULL;
            INSERT INTO witness_departure (words, term, since, hadRoom)
            SELECT 'the content of the deleted ' || old.name, 'deleted', old.deleted, quota IS NULL
            FROM domain WHERE id = old.domain AND old.deleted IS NOT NULL;
        END;
        CREATE TRIGGER IF NOT EXISTS witness_forgotten AFTER DELETE ON item
        BEGIN
            INSERT INTO witness_oddity (words)
            SELECT old.name || ' has gone without a trace'
            WHERE old.deleted IS NULL OR old.content IS NOT NULL;
            INSERT INTO witness_departure (words, term, since, hadRoom)
            SELECT 'the tombstone of ' || old.name, 'tombstone', old.deleted, 1
            WHERE old.deleted IS NOT NULL;
        END;
        """

    /// What lay beside a copy that a device made of what had lost a race. An earlier copy is none of that, by whatever name
    /// somebody calls it by now.
    private static let copies = """
        CREATE TRIGGER IF NOT EXISTS witness_copy AFTER INSERT ON item
        WHEN new.content IS NOT NULL AND new.name LIKE '%(conflict%'
        BEGIN
            INSERT INTO witness_copy (name, content, hash, other, otherContent, otherHash, older)
            SELECT new.name, new.content, new.hash, name, content, hash,
                device IS new.device AND new.modified < modified
            FROM item
            WHERE parent = new.parent AND deleted IS NULL AND content IS NOT NULL AND id <> new.id
                AND id NOT IN (SELECT item FROM witness_copied);
            INSERT OR IGNORE INTO witness_copied (item) VALUES (new.id);
        END;
        """

    // MARK: What it saw

    static func oddities(
        _ db: Connection, after last: Int64
    ) throws -> [(id: Int64, words: String)] {
        try db.all("SELECT id, words FROM witness_oddity WHERE id > ?", last) {
            row throws(SQLiteError) in (try row[0], try row[1])
        }
    }

    static func departures(
        _ db: Connection, after last: Int64
    ) throws -> [(id: Int64, departure: Departure)] {
        try db.all(
            "SELECT id, words, term, since, hadRoom FROM witness_departure WHERE id > ?", last
        ) { row throws(SQLiteError) in
            (
                try row[0],
                Departure(
                    words: try row[1], term: try row[2], since: try row[3], hadRoom: try row[4])
            )
        }
    }

    /// Copies whose contents can still be read, and theirs beside which they were made.
    static func copies(_ db: Connection, after last: Int64) throws -> [(id: Int64, copy: Copy)] {
        try db.all(
            """
            SELECT witness_copy.id, name, content, other, otherContent, older FROM witness_copy
            JOIN content AS lost ON lost.id = content AND lost.hash = witness_copy.hash
            JOIN content AS won ON won.id = otherContent AND won.hash = otherHash
            WHERE witness_copy.id > ?
            """, last
        ) { row throws(SQLiteError) in
            (
                try row[0],
                Copy(
                    name: try row[1], content: try row[2], other: try row[3],
                    otherContent: try row[4], isOlder: try row[5])
            )
        }
    }
}
