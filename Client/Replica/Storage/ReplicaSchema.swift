import BasketDatabase

/// The tables of one replica. They change by steps, each committed with its number.
enum ReplicaSchema {
    static let migrations = [
        Migration("nodes", sql: nodes),
        Migration("sets", sql: sets),
        Migration("requests", sql: requests),
        Migration("imports", sql: imports),
        Migration("arrivals", sql: arrivals),
        Migration("unsent", sql: unsent),
        Migration("unheard", sql: unheard),
        Migration("apart", sql: apart),
        Migration("owed", sql: owed),
        Migration("predecessors", sql: predecessors),
        Migration("lines", sql: lines),
        Migration("ages", sql: ages),
        Migration("strays", sql: strays),
        Migration("containers", sql: containers),
        Migration("proofs", sql: proofs),
        Migration("asked", sql: asked),
        Migration("dates", sql: dates),
        Migration("begun", sql: begun),
        Migration("arrived", sql: arrived),
        Migration("exchanged", sql: exchanged),
    ]

    private static let nodes = """
        -- One row: what concerns the replica as a whole.
        CREATE TABLE replica (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            identity BLOB NOT NULL,         -- another one after every start from nothing
            boot TEXT NOT NULL,             -- the machine's start during which it was last opened
            caseRule TEXT NOT NULL CHECK (caseRule IN ('posix', 'portable')),
            anchor BLOB,                    -- how far the working set was taken in
            stage INTEGER NOT NULL DEFAULT 0,       -- what is known of the provider's tree: a stage
            page BLOB,                      -- how far the enumeration of all of it came,
            folder INTEGER NOT NULL DEFAULT 0,      -- or up to which folder it was listed again
            mark INTEGER NOT NULL DEFAULT 0,        -- nodes up to this one were there when that began
            nodes INTEGER NOT NULL,         -- the number of the last node,
            edits INTEGER NOT NULL,         -- of the last edit,
            files INTEGER NOT NULL,         -- of the last file,
            turns INTEGER NOT NULL,         -- and of the last node that asked for attention
            here INTEGER NOT NULL DEFAULT 0         -- how many bytes of contents are here
        ) STRICT;

        -- A file, folder or symlink in up to three trees: local, synced, remote (bits 1, 2, 4 of
        -- `trees`). The columns up to `creator` are the entry of the local tree; where that does not have
        -- the node, of the remote one; else of the synced one. `synced` and `remote` hold the entries of
        -- the other trees where they say something else: of a million nodes, a few do.
        CREATE TABLE node (
            id INTEGER PRIMARY KEY,
            identifier TEXT,                -- the provider's; NULL until it has given one
            trees INTEGER NOT NULL,
            parent INTEGER NOT NULL,
            name TEXT NOT NULL,
            kind INTEGER NOT NULL,
            bounced INTEGER NOT NULL,
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
            creator INTEGER NOT NULL,       -- with the type, of old Macs
            synced BLOB,
            remote BLOB,
            remoteParent INTEGER,           -- the remote tree's place, where the columns are another
            remoteKey BLOB,
            metadata BLOB,                  -- the remote entry's version, which the provider wants back
            baseMetadata BLOB,              -- the synced entry's; NULL: the same
            remoteSize INTEGER,             -- NULL: the same
            key BLOB,                       -- what local names collide by; NULL: not in the local tree
            size INTEGER NOT NULL,
            capabilities INTEGER NOT NULL,
            policy INTEGER NOT NULL,
            type TEXT,                      -- the content type's identifier, where the name does not tell
            facts BLOB,                     -- what else the provider says, for people and predicates
            residence INTEGER NOT NULL,     -- dataless, partial, whole
            file INTEGER,                   -- the number of the file that holds its bytes
            frozen INTEGER NOT NULL,        -- that file was handed over, and stays as it is
            basis INTEGER,                  -- the file of the version before, to fetch the difference to,
            basisVersion BLOB,
            wanted INTEGER NOT NULL,        -- the content is to be here as soon as there is time
            here INTEGER NOT NULL,          -- how many of its bytes are here,
            opened INTEGER NOT NULL,        -- and when somebody last had it open
            listed INTEGER NOT NULL,        -- a folder all of whose children are known
            unanswered INTEGER NOT NULL,    -- the provider was asked to make it, and may have
            muted INTEGER NOT NULL,         -- fields that the provider does not take
            excluded INTEGER NOT NULL,      -- why it stays on this device; 0: it does not
            turn INTEGER,                   -- asks for attention, since when; NULL: settled
            waits INTEGER                   -- the node that must come on before this one can
        ) STRICT;
        CREATE UNIQUE INDEX node_identifier ON node (identifier) WHERE identifier IS NOT NULL;
        -- Look-ups by name, listings, and no two live nodes of one name.
        CREATE UNIQUE INDEX node_name ON node (parent, key) WHERE key IS NOT NULL;
        -- What lies in a folder in some tree, but not in the local one.
        CREATE INDEX node_absent ON node (parent) WHERE key IS NULL;
        -- Who has a place at the provider, of those that lie elsewhere or nowhere here.
        CREATE INDEX node_remote ON node (remoteParent, remoteKey) WHERE remoteParent IS NOT NULL;
        -- What is to be done, in the order in which it came up; whether a folder holds any of it; and who
        -- waits for whom.
        CREATE INDEX node_turn ON node (turn) WHERE turn IS NOT NULL AND waits IS NULL;
        CREATE INDEX node_turn_in ON node (parent) WHERE turn IS NOT NULL;
        CREATE INDEX node_waits ON node (waits) WHERE waits IS NOT NULL;
        CREATE INDEX node_wanted ON node (wanted) WHERE wanted <> 0;
        -- What could make room, longest unused first; and how much there is of it.
        CREATE INDEX node_here ON node (opened) WHERE here > 0;
        CREATE TRIGGER node_here_inserted AFTER INSERT ON node WHEN new.here <> 0 BEGIN
            UPDATE replica SET here = here + new.here;
        END;
        CREATE TRIGGER node_here_updated AFTER UPDATE OF here ON node WHEN new.here <> old.here BEGIN
            UPDATE replica SET here = here + new.here - old.here;
        END;
        CREATE TRIGGER node_here_deleted AFTER DELETE ON node WHEN old.here <> 0 BEGIN
            UPDATE replica SET here = here - old.here;
        END;

        CREATE INDEX node_policy ON node (policy) WHERE policy <> 0;
        CREATE INDEX node_excluded ON node (excluded) WHERE excluded <> 0;
        -- Folders that are something else, too.
        CREATE INDEX node_typed ON node (id) WHERE kind = 2 AND type IS NOT NULL;
        -- What may be known to this device alone.
        CREATE INDEX node_apart ON node (id)
            WHERE trees <> 7 OR synced IS NOT NULL OR excluded <> 0 OR unanswered <> 0;
        -- What people do not want to be synchronised, by folder.
        CREATE INDEX node_ignore_list ON node (id) WHERE name = '.basketignore' AND key IS NOT NULL;
        CREATE INDEX node_file ON node (file) WHERE file IS NOT NULL;
        CREATE INDEX node_basis ON node (basis) WHERE basis IS NOT NULL;

        -- Which bytes of a partial content are here.
        CREATE TABLE range (
            node INTEGER NOT NULL REFERENCES node ON DELETE CASCADE,
            start INTEGER NOT NULL,
            end INTEGER NOT NULL,
            PRIMARY KEY (node, start)
        ) STRICT, WITHOUT ROWID;

        -- What an enumeration of everything has told of, among the nodes that were there before.
        CREATE TABLE seen (
            node INTEGER PRIMARY KEY
        ) STRICT;
        -- Newer ones that have taken over what a node was at the provider: they count as known before, too.
        CREATE TABLE successor (
            node INTEGER PRIMARY KEY REFERENCES node ON DELETE CASCADE
        ) STRICT;

        -- Files that no node names any more, and that are to be removed.
        CREATE TABLE discarded (
            file INTEGER PRIMARY KEY
        ) STRICT;

        -- Contents that were nowhere else when their nodes had to go, kept for a while.
        CREATE TABLE rescued (
            file INTEGER PRIMARY KEY,
            path TEXT NOT NULL,
            size INTEGER NOT NULL,
            reason TEXT NOT NULL,
            since INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX rescued_since ON rescued (since);

        -- Files that an earlier replica has left, whose bytes only this device may have, with what was noted at
        -- them. They come back once the provider's tree is known.
        CREATE TABLE found (
            file INTEGER PRIMARY KEY,
            mark BLOB NOT NULL
        ) STRICT;

        -- When people removed what the provider still had. A row outlives its node for a while: many removals
        -- are many, however fast each of them is done.
        CREATE TABLE removal (
            node INTEGER PRIMARY KEY,
            since INTEGER NOT NULL,
            isHeld INTEGER NOT NULL,        -- not told to the provider until somebody confirms it
            isConfirmed INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX removal_since ON removal (since);
        CREATE INDEX removal_held ON removal (isHeld) WHERE isHeld <> 0;

        -- Files that a crash of the machine would damage: nobody has made them durable yet.
        CREATE TABLE volatile (
            file INTEGER PRIMARY KEY,
            since INTEGER NOT NULL          -- a turn: what is written later has a later one
        ) STRICT;

        -- Files that programs write to just now: there may be more in them than their nodes say.
        CREATE TABLE writing (
            node INTEGER PRIMARY KEY REFERENCES node ON DELETE CASCADE,
            file INTEGER NOT NULL,
            touched INTEGER NOT NULL        -- the file's own date, as its node says all
        ) STRICT;

        -- Who had contents brought here.
        CREATE TABLE hydration (
            node INTEGER NOT NULL REFERENCES node ON DELETE CASCADE,
            program TEXT NOT NULL,          -- empty: nobody waited for it
            bytes INTEGER NOT NULL,
            since INTEGER NOT NULL,
            last INTEGER NOT NULL,
            PRIMARY KEY (node, program)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX hydration_last ON hydration (last);

        -- Why a node is not where it should be, and when it is tried again.
        CREATE TABLE trouble (
            node INTEGER PRIMARY KEY REFERENCES node ON DELETE CASCADE,
            domain TEXT NOT NULL,           -- the error's, with its code and words
            code INTEGER NOT NULL,
            message TEXT NOT NULL,
            since INTEGER NOT NULL,
            attempts INTEGER NOT NULL,
            retry INTEGER                   -- never NULL
        ) STRICT;
        CREATE INDEX trouble_code ON trouble (domain, code);
        CREATE INDEX trouble_retry ON trouble (retry) WHERE retry IS NOT NULL;
        """

    private static let sets = """
        -- The sets of items that are kept for the provider: 1, what is materialised; 2, what is pending.
        CREATE TABLE itemSet (
            kind INTEGER PRIMARY KEY,
            rank INTEGER NOT NULL DEFAULT 0,        -- of the last change,
            told INTEGER NOT NULL DEFAULT 0,        -- of the last one that the extension knows to be there,
            forgotten INTEGER NOT NULL DEFAULT 0,   -- and of the last one that cannot be told any more
            mark INTEGER NOT NULL DEFAULT 0,        -- the last turn that was there at the last refresh
            isFull INTEGER NOT NULL DEFAULT 0,      -- more is pending than the set holds
            isStale INTEGER NOT NULL DEFAULT 0,     -- has changes that were not noted one by one
            version INTEGER                         -- the domain's, at the last refresh
        ) STRICT;
        INSERT INTO itemSet (kind) VALUES (1), (2);
        -- What has come into a set, or gone from it, last; and all that is in the pending one.
        CREATE TABLE setChange (
            kind INTEGER NOT NULL,
            identifier TEXT NOT NULL,
            node INTEGER NOT NULL,
            rank INTEGER NOT NULL,
            isMember INTEGER NOT NULL,
            PRIMARY KEY (kind, identifier)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX setChange_rank ON setChange (kind, rank);
        -- So that neither set needs a walk through all nodes: of a million, few are here, and few are pending.
        CREATE INDEX node_materialised ON node (id) WHERE key IS NOT NULL AND (residence <> 0 OR listed <> 0);
        CREATE INDEX node_pending ON node (turn) WHERE turn IS NOT NULL AND identifier IS NOT NULL;

        -- Whoever asks for attention since that turn, or a later one, was seen under this version of the
        -- domain.
        CREATE TABLE domainVersion (
            turn INTEGER PRIMARY KEY,
            version INTEGER NOT NULL
        ) STRICT;
        """

    private static let requests = """
        -- Fields that the provider wants to be sent as if they had been changed here, and how.
        ALTER TABLE node ADD COLUMN requested INTEGER NOT NULL DEFAULT 0;
        -- Whether the provider's own storage has not got all of its content yet.
        ALTER TABLE node ADD COLUMN uploading INTEGER NOT NULL DEFAULT 0;

        -- Why the provider is not to be called, as it has said; no row: it is.
        CREATE TABLE disconnection (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            reason TEXT NOT NULL,
            isTemporary INTEGER NOT NULL
        ) STRICT;
        """

    private static let arrivals = """
        -- Whether a tree that was on the disk is being taken in.
        ALTER TABLE replica ADD COLUMN isArriving INTEGER NOT NULL DEFAULT 0;
        -- What is on its way from there: its numbers are given, but it is no node before its bytes are in their
        -- place.
        CREATE TABLE arrival (
            node INTEGER PRIMARY KEY,
            folder INTEGER NOT NULL,        -- the folder that it comes from, under this name
            name TEXT NOT NULL,
            file INTEGER,
            entry BLOB NOT NULL
        ) STRICT;
        CREATE INDEX arrival_file ON arrival (file) WHERE file IS NOT NULL;
        -- What came from there while a program had it open to write to it.
        CREATE TABLE writer (
            node INTEGER PRIMARY KEY REFERENCES node ON DELETE CASCADE
        ) STRICT;
        -- Folders in which everything is still to be offered once more, and the last node that was.
        CREATE TABLE reimport (
            folder INTEGER PRIMARY KEY,
            last INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        """

    private static let imports = """
        -- Whether the provider has not been told yet that everything was offered to it.
        ALTER TABLE replica ADD COLUMN isImporting INTEGER NOT NULL DEFAULT 0;
        -- What is here and may be at the provider, too: it has not said yet which of its items it is.
        CREATE TABLE offered (
            node INTEGER PRIMARY KEY REFERENCES node ON DELETE CASCADE
        ) STRICT;
        """

    private static let unsent = """
        -- How often something was noted in the journal of what is unsent, which may be behind.
        ALTER TABLE replica ADD COLUMN noted INTEGER NOT NULL DEFAULT 0;
        -- What an earlier replica, whose database is gone, has asked the provider to make, and in whose name it
        -- did.
        CREATE TABLE former (
            node INTEGER PRIMARY KEY REFERENCES node ON DELETE CASCADE,
            identity BLOB NOT NULL
        ) STRICT;
        """

    private static let unheard = """
        -- What the provider was asked to change of it and has not answered, coded; NULL: nothing.
        ALTER TABLE node ADD COLUMN unheard BLOB;
        """

    private static let apart = """
        -- Also what the provider was asked for is known to this device alone.
        DROP INDEX node_apart;
        CREATE INDEX node_apart ON node (id)
            WHERE trees <> 7 OR synced IS NOT NULL OR excluded <> 0 OR unanswered <> 0
                OR unheard IS NOT NULL;
        """

    private static let owed = """
        -- What could not be looked at when it was to be: it is looked at again, for as long as it takes. For a
        -- while, the first step made this.
        CREATE TABLE IF NOT EXISTS owed (
            node INTEGER PRIMARY KEY REFERENCES node ON DELETE CASCADE,
            lists INTEGER NOT NULL          -- whether it is a folder that is to be listed
        ) STRICT;
        """

    private static let predecessors = """
        -- What a file that is not durable was written in place of, as long as that is so.
        CREATE TABLE predecessor (
            file INTEGER PRIMARY KEY,
            former INTEGER NOT NULL UNIQUE,
            size INTEGER NOT NULL,
            modified INTEGER,
            isPassed INTEGER NOT NULL       -- something newer was handed over
        ) STRICT;
        CREATE TRIGGER volatile_end AFTER DELETE ON volatile BEGIN
            -- What was removed may be on its way still.
            INSERT OR IGNORE INTO discarded (file)
                SELECT former FROM predecessor
                WHERE file = OLD.file AND NOT EXISTS (
                    SELECT 1 FROM node WHERE node.file = former UNION ALL
                    SELECT 1 FROM rescued WHERE rescued.file = former
                );
            DELETE FROM predecessor WHERE file = OLD.file;
        END;
        """

    private static let lines = """
        -- Who waits for a full line has the negative of its number in `waits`, and is let in by its turn.
        DROP INDEX node_waits;
        CREATE INDEX node_waits ON node (waits, turn) WHERE waits IS NOT NULL;
        """

    private static let strays = """
        -- What was told of and could not be put anywhere, as nobody could say where its folder lies: it is looked at
        -- again, as what is owed of nodes.
        CREATE TABLE stray (identifier TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
        """

    private static let exchanged = """
        -- Who had each other's name last, and who asked for that: asked once more, they keep what they have.
        CREATE TABLE exchanged (
            number INTEGER PRIMARY KEY,
            question INTEGER NOT NULL,
            one INTEGER NOT NULL,
            other INTEGER NOT NULL
        ) STRICT;
        """
}
