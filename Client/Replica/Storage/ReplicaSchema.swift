import BasketDatabase

/// The tables of one replica. They change by steps, each committed with its number.
enum ReplicaSchema {
    static let migrations = [
        Migration("nodes", sql: nodes)
    ]

    private static let nodes = """
        -- One row: what concerns the replica as a whole.
        CREATE TABLE replica (
            identity BLOB NOT NULL,         -- another one after every start from nothing
            case_rule TEXT NOT NULL CHECK (case_rule IN ('posix', 'portable')),
            anchor BLOB,                    -- how far the working set was taken in
            page BLOB,                      -- how far its first enumeration came; NULL: all or nothing
            nodes INTEGER NOT NULL,         -- the number of the last node
            edits INTEGER NOT NULL,         -- that of the last edit
            turns INTEGER NOT NULL          -- that of the last node that asked for attention
        ) STRICT;

        -- A file, folder or symlink in up to three trees: local, synced, remote (bits 1, 2, 4 of
        -- `trees`). The columns are the entry of the local tree; where that does not have the node, of
        -- the remote one; else of the synced one. `synced` and `remote` hold the entries of the other
        -- trees where they say something else: of a million nodes, a few do.
        CREATE TABLE node (
            id INTEGER PRIMARY KEY,
            identifier TEXT,                -- the provider's; NULL until it has given one
            trees INTEGER NOT NULL,
            parent INTEGER NOT NULL,
            name TEXT NOT NULL,
            key BLOB,                       -- what local names collide by; NULL: not in the local tree
            kind INTEGER NOT NULL,
            bounced INTEGER NOT NULL DEFAULT 0,
            version BLOB,                   -- the content: by the provider's name for it,
            edit INTEGER,                   -- or by the number of an edit made here,
            target TEXT,                    -- or where a symlink leads
            created INTEGER,
            modified INTEGER,
            used INTEGER,
            flags INTEGER NOT NULL,
            favorite INTEGER,
            tags BLOB,
            extended BLOB,                  -- as in the coded entries; NULL: none
            type_creator INTEGER NOT NULL DEFAULT 0,
            synced BLOB,
            remote BLOB,
            remote_parent INTEGER,          -- the remote tree's place, where the columns are another
            remote_key BLOB,
            metadata_version BLOB,          -- the remote entry's, which the provider wants back
            base_metadata BLOB,             -- the synced entry's; NULL: the same
            size INTEGER NOT NULL DEFAULT 0,
            remote_size INTEGER,            -- NULL: the same
            capabilities INTEGER NOT NULL DEFAULT 63,
            policy INTEGER NOT NULL DEFAULT 0,
            type TEXT,                      -- the content type's identifier, where the name does not tell
            facts BLOB,                     -- what else the provider says, for people and predicates
            residence INTEGER NOT NULL DEFAULT 0,   -- dataless, partial, whole; a folder: unlisted, whole
            file INTEGER,                   -- the number of the file that holds its bytes
            frozen INTEGER NOT NULL DEFAULT 0,      -- those bytes are to stay as they are
            turn INTEGER                    -- asks for attention, since when; NULL: settled
        ) STRICT;
        CREATE UNIQUE INDEX node_identifier ON node (identifier) WHERE identifier IS NOT NULL;
        -- Look-ups by name, listings, and no two live nodes of one name.
        CREATE UNIQUE INDEX node_name ON node (parent, key) WHERE key IS NOT NULL;
        -- Who has a name at the provider, of those that lie elsewhere or nowhere here.
        CREATE INDEX node_remote ON node (remote_parent, remote_key) WHERE remote_parent IS NOT NULL;
        -- What is to be done, in the order in which it came up; and whether a folder holds any of it.
        CREATE INDEX node_turn ON node (turn) WHERE turn IS NOT NULL;
        CREATE INDEX node_turn_in ON node (parent) WHERE turn IS NOT NULL;

        -- Which bytes of a partial content are here.
        CREATE TABLE range (
            node INTEGER NOT NULL REFERENCES node ON DELETE CASCADE,
            start INTEGER NOT NULL,
            end INTEGER NOT NULL,
            PRIMARY KEY (node, start)
        ) STRICT, WITHOUT ROWID;

        -- Why a node is not where it should be, and when it is tried again.
        CREATE TABLE trouble (
            node INTEGER PRIMARY KEY REFERENCES node ON DELETE CASCADE,
            domain TEXT NOT NULL,           -- the error's, with its code and words
            code INTEGER NOT NULL,
            message TEXT NOT NULL,
            since INTEGER NOT NULL,
            attempts INTEGER NOT NULL,
            retry INTEGER                   -- NULL: when it is told to be resolved
        ) STRICT;
        CREATE INDEX trouble_code ON trouble (domain, code);
        CREATE INDEX trouble_retry ON trouble (retry) WHERE retry IS NOT NULL;
        """
}
