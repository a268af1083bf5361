import BasketDatabase

/// The database's tables, step by step. A step that was released is never edited.
package enum Schema {
    package static let migrations = [
        Migration("the first tables", sql: firstTables),
        Migration("blobs on their way out", sql: discardedBlobs),
        Migration("attributes that were removed", sql: removedAttributes),
        Migration("domains on their way out", sql: deletedDomains),
        Migration("folders by date", sql: foldersByDate),
        Migration("offered domains", sql: offeredDomains),
        Migration("history by domain", sql: historyByDomain),
        Migration("the order of one device's contents", sql: orderOfContents),
    ]

    private static let orderOfContents = """
        -- When the device that wrote the content sent it, by its own clock, where it has said so.
        ALTER TABLE item ADD COLUMN sent INTEGER;
        """

    private static let historyByDomain = """
        -- What makes room where a quota is reached: found at once, whatever other domains hold.
        ALTER TABLE version ADD COLUMN domain INTEGER NOT NULL DEFAULT 0;
        UPDATE version SET domain = (SELECT domain FROM item WHERE item.id = version.item);
        CREATE INDEX version_reclaimed ON version (domain, superseded)
            WHERE conflict = 0 AND size > 0;
        CREATE INDEX item_reclaimed ON item (domain, deleted) WHERE deleted IS NOT NULL
            AND (content IS NOT NULL OR conflicts > 0 OR thumbnail IS NOT NULL);
        """

    private static let offeredDomains = """
        -- Whether the owner wants to hand the domain over to this member. At most one is offered it.
        ALTER TABLE member ADD COLUMN offered INTEGER NOT NULL DEFAULT 0;
        """

    private static let foldersByDate = """
        -- A folder's pages by date: without it, each page would read and sort the whole folder. Other
        -- orders are rare, and do that: an index is a page more that every new item writes.
        CREATE INDEX item_modified ON item (parent, modified) WHERE deleted IS NULL;
        """

    private static let deletedDomains = """
        -- Since when the domain is gone for everybody. What it held is taken away in steps, and counts
        -- for nobody any more: used, history and items are 0.
        ALTER TABLE domain ADD COLUMN deleted INTEGER;
        """

    private static let removedAttributes = """
        -- When an extended attribute was removed, as a metadata version: so that nobody who had not
        -- seen that brings it back. The newest of an item by name; the row without a name stands for
        -- all others, and for any name.
        CREATE TABLE removed_xattr (
            item INTEGER NOT NULL REFERENCES item ON DELETE CASCADE,
            name TEXT NOT NULL,
            stamp INTEGER NOT NULL,
            PRIMARY KEY (item, name)
        ) STRICT, WITHOUT ROWID;
        """

    private static let discardedBlobs = """
        -- A blob that no row of `blob` names, or ever will: its file stays for a while, for whoever
        -- has just looked up where a chunk lies, and then goes.
        CREATE TABLE discarded_blob (
            id INTEGER PRIMARY KEY,
            since INTEGER NOT NULL
        ) STRICT;
        """

    private static let firstTables = """
        -- One row: what is true of this data folder as a whole.
        CREATE TABLE server (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            name INTEGER NOT NULL,          -- minted once; a restored copy gets another one
            created INTEGER NOT NULL,
            reserved INTEGER NOT NULL       -- no number above this one was ever given
        ) STRICT;

        -- A person.
        CREATE TABLE account (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE COLLATE NOCASE,
            display TEXT NOT NULL,
            password TEXT NOT NULL,         -- hashed with its own parameters
            role TEXT NOT NULL CHECK (role IN ('administrator', 'member')),
            quota INTEGER,                  -- over all domains that the account owns; NULL: none
            disabled INTEGER NOT NULL DEFAULT 0,
            created INTEGER NOT NULL
        ) STRICT;

        -- A log-in of a person from a named device. The token itself is never kept. A revoked row
        -- stays, because versions name the device that they came from.
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

        -- A tree of items. `rank` is that of its newest change; tombstones up to `pruned` are gone.
        -- `used` counts the bytes of live items, conflict versions and thumbnails, `history` those
        -- of earlier versions and of deleted items, which make room when it is needed.
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
            items INTEGER NOT NULL DEFAULT 0,   -- live ones, but for the root and the trash
            root INTEGER NOT NULL,
            trash INTEGER NOT NULL,
            created INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX domain_of_owner ON domain (owner);

        -- Who may do what in a domain, and what this account calls it: names are each person's own,
        -- so that nobody learns of another's domains by a name that is taken.
        CREATE TABLE member (
            account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
            domain INTEGER NOT NULL REFERENCES domain ON DELETE CASCADE,
            role TEXT NOT NULL CHECK (role IN ('owner', 'writer', 'reader')),
            name TEXT NOT NULL COLLATE NOCASE,
            PRIMARY KEY (account, domain),
            UNIQUE (account, name)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX member_of_domain ON member (domain);

        -- What a file holds: `data` when small, chunks otherwise. It belongs to one domain, so that
        -- knowing a hash opens nothing. `refs` counts the items and versions that bear it; `dead`
        -- tells since when there are none.
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

        -- A file on the disk that chunks lie in.
        CREATE TABLE blob (
            id INTEGER PRIMARY KEY,
            size INTEGER NOT NULL
        ) STRICT;

        -- A piece of large contents, once for a domain. `refs` counts its rows in content_chunk.
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
        -- For the foreign key: a chunk may go only when no content bears it.
        CREATE INDEX content_chunk_by_chunk ON content_chunk (chunk);

        -- A file, folder or symlink; deleted ones stay as tombstones, with their content while it
        -- may be wanted back. `key` is what names collide by; NULL for tombstones and for what lies
        -- directly in the trash, where names do not collide. Root and trash have no parent.
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
            hash BLOB,                      -- that of the content
            size INTEGER NOT NULL DEFAULT 0,
            base INTEGER,                   -- the content version that the writer had seen
            author INTEGER,                 -- the account and the device that wrote the content,
            device INTEGER,
            stored INTEGER NOT NULL,        -- and when it arrived
            children INTEGER NOT NULL DEFAULT 0,
            target TEXT,                    -- a symlink's
            created INTEGER NOT NULL,
            modified INTEGER NOT NULL,
            used INTEGER,
            mode INTEGER NOT NULL,
            flags INTEGER NOT NULL DEFAULT 0,
            favorite INTEGER,
            tags TEXT,                      -- a JSON array of strings
            xattrs INTEGER NOT NULL DEFAULT 0,
            conflicts INTEGER NOT NULL DEFAULT 0,
            thumbnail INTEGER,              -- the content version that it shows
            stamps BLOB,                    -- when each field last changed; NULL: at creation
            trashed INTEGER,                -- when, and from where
            trashed_from INTEGER,
            deleted INTEGER,                -- when, and by whom
            deleted_by INTEGER,
            deleted_with INTEGER            -- the device
        ) STRICT;
        -- Look-ups by name, listings, and no two live items of one name.
        CREATE UNIQUE INDEX item_name ON item (parent, key);
        -- The change feed.
        CREATE INDEX item_feed ON item (domain, rank, id);
        -- Tombstones by age: what is forgotten, and what can be brought back.
        CREATE INDEX item_deleted ON item (deleted) WHERE deleted IS NOT NULL;
        -- Those that still hold contents: so that each is purged once, and not looked at again.
        CREATE INDEX item_purgeable ON item (deleted) WHERE deleted IS NOT NULL
            AND (content IS NOT NULL OR conflicts > 0 OR thumbnail IS NOT NULL);
        -- What lies in the trash, by how long.
        CREATE INDEX item_trashed ON item (trashed) WHERE trashed IS NOT NULL AND deleted IS NULL;
        -- For the foreign key: a content may go only when no item bears it.
        CREATE INDEX item_content ON item (content) WHERE content IS NOT NULL;

        CREATE TABLE xattr (
            item INTEGER NOT NULL REFERENCES item ON DELETE CASCADE,
            name TEXT NOT NULL,
            value BLOB NOT NULL,
            stamp INTEGER NOT NULL,
            PRIMARY KEY (item, name)
        ) STRICT, WITHOUT ROWID;

        -- An earlier content of an item, or one that lost a race (`conflict`), by its content
        -- version.
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
            modified INTEGER NOT NULL,      -- the content's own date
            superseded INTEGER NOT NULL     -- since when it is not the current one
        ) STRICT;
        CREATE INDEX version_of_item ON version (item);
        CREATE INDEX version_superseded ON version (superseded) WHERE conflict = 0;
        CREATE INDEX version_content ON version (content);

        CREATE TABLE thumbnail (
            item INTEGER PRIMARY KEY REFERENCES item ON DELETE CASCADE,
            type TEXT NOT NULL,
            data BLOB NOT NULL
        ) STRICT;

        -- "In use": advisory, by device, ending by itself. Not part of the change feed.
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

        -- The answers that were given, so that a request that is sent twice happens once.
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

        -- Names and tags, found by their words. Filled from the change feed behind the writes.
        CREATE VIRTUAL TABLE search USING fts5 (
            name, tags, scope, tokenize = "unicode61 remove_diacritics 2", prefix = '2 3'
        );
        -- How far in a domain's feed the search has read.
        CREATE TABLE search_state (
            domain INTEGER PRIMARY KEY REFERENCES domain ON DELETE CASCADE,
            rank INTEGER NOT NULL,
            item INTEGER NOT NULL
        ) STRICT;
        """
}
