import BasketDatabase

/// The tables of the journal. A node's columns are called as in the replica's table, and a column that is added there
/// is added here.
enum UnsentSchema {
    static let migrations = [
        Migration("nodes", sql: nodes), Migration("arrivals", sql: arrivals),
        Migration("unheard", sql: "ALTER TABLE node ADD COLUMN unheard"),
        Migration(
            "containers",
            sql: """
                ALTER TABLE node ADD COLUMN contentVersion;
                ALTER TABLE node ADD COLUMN baseContentVersion;
                """),
        Migration(
            "dates",
            sql: "ALTER TABLE node ADD COLUMN touched; ALTER TABLE node ADD COLUMN changed;"),
        // Somebody had begun to write it anew; NULL: it is not known.
        Migration("begun", sql: "ALTER TABLE node ADD COLUMN isBegun"),
    ]

    private static let nodes = """
        -- One row: how far the replica had come, by its own numbers, when the last of this was written.
        CREATE TABLE journal (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            boot TEXT,                      -- the machine's start
            identity BLOB,                  -- the replica's; NULL: not all is here that should be
            noted INTEGER NOT NULL,
            nodes INTEGER NOT NULL
        ) STRICT;
        INSERT INTO journal (id, noted, nodes) VALUES (1, 0, 0);

        -- Nodes that are unsent, and the folders in which they lie in any tree, up to the root.
        CREATE TABLE node (
            id INTEGER PRIMARY KEY, identifier, trees, parent, name, kind, bounced, version, edit, target,
            created, modified, used, flags, favorite, tags, extended, creator, synced, remote,
            remoteParent, remoteKey, metadata, baseMetadata, remoteSize, key, size, capabilities, policy,
            type, facts, residence, file, frozen, basis, basisVersion, wanted, here, opened, listed,
            unanswered, muted, excluded, turn, waits, requested, uploading,
            isUnsent INTEGER NOT NULL,
            isOffered INTEGER NOT NULL,     -- the provider may have it already
            identity BLOB                   -- of the replica that asked for it to be made
        );
        -- Files that are to be removed, though what is noted at them says that nobody else has their bytes.
        CREATE TABLE dropped (
            file INTEGER PRIMARY KEY
        ) STRICT;
        """

    private static let arrivals = """
        -- What is on its way out of an imported tree, as in the replica's table: from there it is moved to where
        -- only its numbers say what it is.
        CREATE TABLE arrival (
            node INTEGER PRIMARY KEY,
            folder INTEGER NOT NULL,
            name TEXT NOT NULL,
            file INTEGER,
            entry BLOB NOT NULL
        ) STRICT;
        """

    private static let extra: [StaticString] = ["isUnsent", "isOffered", "identity", "isBegun"]

    static let columns = "\(NodeColumn.all), \(extra.map { "node.\($0)" }.joined(separator: ", "))"

    static let put = """
        INSERT OR REPLACE INTO node (
            \((NodeColumn.allCases.map { "\($0)" } + extra.map { "\($0)" }).joined(separator: ", "))
        ) VALUES (
            \((1...NodeColumn.allCases.count + extra.count).map { "?\($0)" }.joined(separator: ", "))
        )
        """
}
