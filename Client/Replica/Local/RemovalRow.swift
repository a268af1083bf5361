enum RemovalRow {
    /// The removal has reached the provider, or is none any more.
    static let isOver = """
        isHeld = 0 AND NOT EXISTS (SELECT 1 FROM node WHERE id = removal.node AND key IS NULL)
        """
}
