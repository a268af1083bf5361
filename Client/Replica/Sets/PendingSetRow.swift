enum PendingSetRow {
    /// Those in the set whose sides agree by now, or that are not any more.
    static let gone = """
        SELECT identifier FROM setChange
        WHERE kind = 2 AND isMember = 1 AND NOT EXISTS (
            SELECT 1 FROM node WHERE node.id = setChange.node
                AND node.identifier = setChange.identifier AND node.turn IS NOT NULL)
        """

    /// Those that are not in the set, the one that has waited longest first. What the provider does not know
    /// yet is never in it.
    static let coming = """
        SELECT node.identifier, node.id, node.turn FROM node INDEXED BY node_pending
        WHERE node.turn IS NOT NULL AND node.identifier IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM setChange WHERE kind = 2 AND identifier = node.identifier
                AND isMember = 1)
        ORDER BY node.turn
        """
}
