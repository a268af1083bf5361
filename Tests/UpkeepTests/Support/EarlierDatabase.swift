/// Databases as earlier versions of Basket wrote them. This text is not shared with the store on purpose:
/// a step of the schema that is edited after all no longer leads to the same tables.
enum EarlierDatabase {
    /// What a version added, and rows as it would have them.
    static func sql(version: Int) -> String {
        // Before the seventh, a version did not know its domain.
        let domains = version < 7 ? "" : "UPDATE version SET domain = 4;"
        return (steps.prefix(version) + [rows, domains, "PRAGMA user_version = \(version);"])
            .joined(separator: "\n")
    }

    static let steps = [
        first,
        "CREATE TABLE discarded_blob (id INTEGER PRIMARY KEY, since INTEGER NOT NULL) STRICT;",
        """
        CREATE TABLE removed_xattr (
            item INTEGER NOT NULL REFERENCES item ON DELETE CASCADE,
            name TEXT NOT NULL,
            stamp INTEGER NOT NULL,
            PRIMARY KEY (item, name)
        ) STRICT, WITHOUT ROWID;
        """,
        "ALTER TABLE domain ADD COLUMN deleted INTEGER;",
        "CREATE INDEX item_modified ON item (parent, modified) WHERE deleted IS NULL;",
        "ALTER TABLE member ADD COLUMN offered INTEGER NOT NULL DEFAULT 0;",
        """
        ALTER TABLE version ADD COLUMN domain INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX version_reclaimed ON version (domain, superseded)
            WHERE conflict = 0 AND size > 0;
        CREATE INDEX item_reclaimed ON item (domain, deleted) WHERE deleted IS NOT NULL
            AND (content IS NOT NULL OR conflicts > 0 OR thumbnail IS NOT NULL);
        """,
        "ALTER TABLE item ADD COLUMN sent INTEGER;",
    ]

    /// A file with an earlier content, a conflict and an attribute; and one that was deleted.
    private static let rows = """
        INSERT INTO server VALUES (1, 1, 1, 1000);
        INSERT INTO account VALUES (2, 'ann', 'Ann', 'scrypt$ln=4', 'administrator', NULL, 0, 1);
        INSERT INTO device VALUES (3, 2, 'laptop', X'3c469e9d6c5875d37a43f353d4f88e61fcf812c66eee3457465a40b0da4153e0', 1, 1, NULL, NULL);
        INSERT INTO domain (id, owner, case_rule, has_trash, quota, epoch, rank, pruned, used, history,
                items, root, trash, created)
            VALUES (4, 2, 'portable', 1, NULL, 5, 7, 0, 9, 8, 2, 10, 11, 1);
        INSERT INTO member (account, domain, role, name) VALUES (2, 4, 'owner', 'Work');
        INSERT INTO content (id, domain, hash, size, refs, dead, data) VALUES
            (20, 4, X'ed5eb9a37e2d8231af3388319b941995f6dc8755c56043d0cc52b5fe405a87de', 3, 1, NULL, CAST('now' AS BLOB)),
            (21, 4, X'6db7d803e74f1ffa7d8f5adc0bf95b3e15bf4c8373fffadf546227cc6c6742cb', 6, 1, NULL, CAST('before' AS BLOB)),
            (22, 4, X'4c55a8552a2c7261f61f798c2265e6f13358f326ae5b934096ff16bd15e62c33', 6, 1, NULL, CAST('theirs' AS BLOB)),
            (23, 4, X'959a45d44e6fcf58361ed004681556fe50129f2109e817dec098c00c9e5d2578', 2, 1, NULL, CAST('de' AS BLOB));
        INSERT INTO item (id, domain, parent, name, key, kind, rank, content_version, metadata_version,
                content, hash, size, stored, children, created, modified, mode, xattrs, conflicts, deleted)
            VALUES
            (10, 4, NULL, 'root', NULL, 2, 1, 10, 10, NULL, NULL, 0, 1, 1, 1, 1, 493, 0, 0, NULL),
            (11, 4, NULL, 'trash', NULL, 2, 1, 11, 11, NULL, NULL, 0, 1, 0, 1, 1, 493, 0, 0, NULL),
            (12, 4, 10, 'folder', CAST('folder' AS BLOB), 2, 3, 12, 12, NULL, NULL, 0, 1, 1, 1, 1, 493,
                0, 0, NULL),
            (13, 4, 12, 'file', CAST('file' AS BLOB), 1, 7, 16, 16, 20, X'ed5eb9a37e2d8231af3388319b941995f6dc8755c56043d0cc52b5fe405a87de', 3, 1, 0, 1, 1, 420,
                1, 1, NULL),
            (14, 4, 12, 'gone', NULL, 1, 6, 14, 14, 23, X'959a45d44e6fcf58361ed004681556fe50129f2109e817dec098c00c9e5d2578', 2, 1, 0, 1, 1, 420, 0, 0, 5);
        INSERT INTO xattr VALUES (13, 'user.a', X'01', 13);
        INSERT INTO version (id, item, conflict, content, hash, size, stored, modified, superseded) VALUES
            (13, 13, 0, 21, X'6db7d803e74f1ffa7d8f5adc0bf95b3e15bf4c8373fffadf546227cc6c6742cb', 6, 1, 1, 1),
            (15, 13, 1, 22, X'4c55a8552a2c7261f61f798c2265e6f13358f326ae5b934096ff16bd15e62c33', 6, 1, 1, 1);
        """

    private static let first = """
        CREATE TABLE server (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            name INTEGER NOT NULL,
            created INTEGER NOT NULL,
            reserved INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE account (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE COLLATE NOCASE,
            display TEXT NOT NULL,
            password TEXT NOT NULL,
            role TEXT NOT NULL CHECK (role IN ('administrator', 'member')),
            quota INTEGER,
            disabled INTEGER NOT NULL DEFAULT 0,
            created INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE device (
            id INTEGER PRIMARY KEY,
            account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            name TEXT NOT NULL,
            token BLOB NOT NULL UNIQUE,
            created INTEGER NOT NULL,
            used INTEGER NOT NULL,
            expires INTEGER,
            revoked INTEGER
        ) STRICT;
        CREATE INDEX device_of_account ON device (account);
        CREATE TABLE domain (
            id INTEGER PRIMARY KEY,
            owner INTEGER NOT NULL REFERENCES account,
            case_rule TEXT NOT NULL CHECK (case_rule IN ('posix', 'portable')),
            has_trash INTEGER NOT NULL,
            quota INTEGER,
            epoch INTEGER NOT NULL,
            rank INTEGER NOT NULL,
            pruned INTEGER NOT NULL,
            used INTEGER NOT NULL DEFAULT 0,
            history INTEGER NOT NULL DEFAULT 0,
            items INTEGER NOT NULL DEFAULT 0,
            root INTEGER NOT NULL,
            trash INTEGER NOT NULL,
            created INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX domain_of_owner ON domain (owner);
        CREATE TABLE member (
            account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            domain INTEGER NOT NULL REFERENCES domain ON DELETE CASCADE,
            role TEXT NOT NULL CHECK (role IN ('owner', 'writer', 'reader')),
            name TEXT NOT NULL COLLATE NOCASE,
            PRIMARY KEY (account, domain),
            UNIQUE (account, name)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX member_of_domain ON member (domain);
        CREATE TABLE content (
            id INTEGER PRIMARY KEY,
            domain INTEGER NOT NULL REFERENCES domain,
            hash BLOB NOT NULL,
            size INTEGER NOT NULL,
            refs INTEGER NOT NULL,
            dead INTEGER,
            data BLOB,
            UNIQUE (domain, hash)
        ) STRICT;
        CREATE INDEX content_dead ON content (dead) WHERE dead IS NOT NULL;
        CREATE TABLE blob (
            id INTEGER PRIMARY KEY,
            size INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE chunk (
            id INTEGER PRIMARY KEY,
            domain INTEGER NOT NULL REFERENCES domain,
            hash BLOB NOT NULL,
            length INTEGER NOT NULL,
            blob INTEGER NOT NULL REFERENCES blob,
            position INTEGER NOT NULL,
            refs INTEGER NOT NULL,
            dead INTEGER,
            UNIQUE (domain, hash)
        ) STRICT;
        CREATE INDEX chunk_in_blob ON chunk (blob, position);
        CREATE INDEX chunk_dead ON chunk (dead) WHERE dead IS NOT NULL;
        CREATE TABLE content_chunk (
            content INTEGER NOT NULL REFERENCES content ON DELETE CASCADE,
            start INTEGER NOT NULL,
            chunk INTEGER NOT NULL REFERENCES chunk,
            PRIMARY KEY (content, start)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX content_chunk_by_chunk ON content_chunk (chunk);
        CREATE TABLE item (
            id INTEGER PRIMARY KEY,
            domain INTEGER NOT NULL REFERENCES domain,
            parent INTEGER REFERENCES item,
            name TEXT NOT NULL,
            key BLOB,
            kind INTEGER NOT NULL,
            rank INTEGER NOT NULL,
            content_version INTEGER NOT NULL,
            metadata_version INTEGER NOT NULL,
            content INTEGER REFERENCES content,
            hash BLOB,
            size INTEGER NOT NULL DEFAULT 0,
            base INTEGER,
            author INTEGER,
            device INTEGER,
            stored INTEGER NOT NULL,
            children INTEGER NOT NULL DEFAULT 0,
            target TEXT,
            created INTEGER NOT NULL,
            modified INTEGER NOT NULL,
            used INTEGER,
            mode INTEGER NOT NULL,
            flags INTEGER NOT NULL DEFAULT 0,
            favorite INTEGER,
            tags TEXT,
            xattrs INTEGER NOT NULL DEFAULT 0,
            conflicts INTEGER NOT NULL DEFAULT 0,
            thumbnail INTEGER,
            stamps BLOB,
            trashed INTEGER,
            trashed_from INTEGER,
            deleted INTEGER,
            deleted_by INTEGER,
            deleted_with INTEGER
        ) STRICT;
        CREATE UNIQUE INDEX item_name ON item (parent, key);
        CREATE INDEX item_feed ON item (domain, rank, id);
        CREATE INDEX item_deleted ON item (deleted) WHERE deleted IS NOT NULL;
        CREATE INDEX item_purgeable ON item (deleted) WHERE deleted IS NOT NULL
            AND (content IS NOT NULL OR conflicts > 0 OR thumbnail IS NOT NULL);
        CREATE INDEX item_trashed ON item (trashed) WHERE trashed IS NOT NULL AND deleted IS NULL;
        CREATE INDEX item_content ON item (content) WHERE content IS NOT NULL;
        CREATE TABLE xattr (
            item INTEGER NOT NULL REFERENCES item ON DELETE CASCADE,
            name TEXT NOT NULL,
            value BLOB NOT NULL,
            stamp INTEGER NOT NULL,
            PRIMARY KEY (item, name)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE version (
            id INTEGER PRIMARY KEY,
            item INTEGER NOT NULL REFERENCES item ON DELETE CASCADE,
            conflict INTEGER NOT NULL,
            content INTEGER NOT NULL REFERENCES content,
            hash BLOB NOT NULL,
            size INTEGER NOT NULL,
            base INTEGER,
            author INTEGER,
            device INTEGER,
            stored INTEGER NOT NULL,
            modified INTEGER NOT NULL,
            superseded INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX version_of_item ON version (item);
        CREATE INDEX version_superseded ON version (superseded) WHERE conflict = 0;
        CREATE INDEX version_content ON version (content);
        CREATE TABLE thumbnail (
            item INTEGER PRIMARY KEY REFERENCES item ON DELETE CASCADE,
            type TEXT NOT NULL,
            data BLOB NOT NULL
        ) STRICT;
        CREATE TABLE lock (
            item INTEGER NOT NULL REFERENCES item ON DELETE CASCADE,
            device INTEGER NOT NULL REFERENCES device ON DELETE CASCADE,
            account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            note TEXT NOT NULL,
            since INTEGER NOT NULL,
            expires INTEGER NOT NULL,
            PRIMARY KEY (item, device)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX lock_expires ON lock (expires);
        CREATE TABLE idempotency (
            account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            key TEXT NOT NULL,
            fingerprint BLOB NOT NULL,
            status INTEGER NOT NULL,
            body BLOB NOT NULL,
            created INTEGER NOT NULL,
            PRIMARY KEY (account, key)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX idempotency_created ON idempotency (created);
        CREATE VIRTUAL TABLE search USING fts5 (
            name, tags, scope, tokenize = "unicode61 remove_diacritics 2", prefix = '2 3'
        );
        CREATE TABLE search_state (
            domain INTEGER PRIMARY KEY REFERENCES domain ON DELETE CASCADE,
            rank INTEGER NOT NULL,
            item INTEGER NOT NULL
        ) STRICT;
        """
}
