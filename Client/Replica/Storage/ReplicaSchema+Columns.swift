// What was added to the tables since they were made.
extension ReplicaSchema {
    static let ages = """
        -- How old something is by the time during which somebody was at work with the replica, in seconds: the clock
        -- may be wrong by years.
        ALTER TABLE rescued ADD COLUMN age INTEGER NOT NULL DEFAULT 0;
        """

    static let containers = """
        -- The provider's name for what is in a folder or a symlink, and what both sides agreed on; NULL: the same, no
        -- bytes: none.
        ALTER TABLE node ADD COLUMN contentVersion BLOB;
        ALTER TABLE node ADD COLUMN baseContentVersion BLOB;
        """

    static let asked = """
        -- Who may have a place at the provider that it has not here, as the provider was asked for it and has not answered:
        -- the second bit of `unanswered`.
        CREATE INDEX node_asked ON node (id) WHERE unanswered & 2 <> 0;
        """

    static let dates = """
        -- When something was made, removed or renamed in a folder, since somebody has set its date; NULL: nothing.
        ALTER TABLE node ADD COLUMN touched INTEGER;
        -- When anything was last changed of it that `stat` tells; NULL: at its date.
        ALTER TABLE node ADD COLUMN changed INTEGER;
        """

    static let begun = """
        -- Nothing of what was there before is in the file, and nobody has said yet that all is in it that is to be.
        ALTER TABLE writing ADD COLUMN isBegun INTEGER NOT NULL DEFAULT 0;
        -- 1: a crash of the machine may have damaged it, and its mark says so by now; -1: nobody could look at it.
        ALTER TABLE found ADD COLUMN doubt INTEGER NOT NULL DEFAULT 0;
        -- After a crash of the machine, nobody could look at it yet: nothing is known of what is left of it.
        ALTER TABLE volatile ADD COLUMN isUnseen INTEGER NOT NULL DEFAULT 0;
        """

    static let arrived = """
        -- It came from the disk, and the provider was never asked about it.
        ALTER TABLE offered ADD COLUMN isArrival INTEGER NOT NULL DEFAULT 0;
        """

    static let proofs = """
        -- How long the file was when a program was last told that all of it is on the disk; NULL: never.
        ALTER TABLE volatile ADD COLUMN proven INTEGER;
        """
}
