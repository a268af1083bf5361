import BasketDatabase
import BasketSupport
import FileProvider

extension ReplicaReader {
    /// The number of whoever asked for attention last.
    package func lastTurn() throws -> Int64 {
        try db.value("SELECT turns FROM replica") ?? 0
    }

    /// Whether somebody asks for attention who did so by that turn.
    package func isPending(upTo turn: Int64) throws -> Bool {
        try db.value(
            "SELECT EXISTS (SELECT 1 FROM node WHERE turn IS NOT NULL AND turn <= ?)", turn)
            ?? false
    }

    /// One that asks for attention, when none of those that do so comes on by itself: each waits for another one, is
    /// a removal that is held back, or is in a trouble that somebody has to resolve or that has come too often,
    /// and is not tried again just now.
    package func stuck(after attempts: Int, at now: Timestamp) throws -> NodeID? {
        let codes: [NSFileProviderError.Code] = [
            .notAuthenticated, .serverUnreachable, .insufficientQuota, .cannotSynchronize,
        ]
        let list = codes.map { "\($0.rawValue)" }.joined(separator: ", ")
        let isMoving: Bool? = try db.value(
            """
            SELECT EXISTS (
                SELECT 1 FROM node LEFT JOIN trouble ON trouble.node = node.id
                WHERE turn IS NOT NULL AND (waits IS NULL OR waits <= 0)
                    AND (trouble.node IS NULL OR retry <= ?3 OR attempts < ?1
                        AND NOT (domain = ?2 AND code IN (\(list))))
                    AND NOT EXISTS (
                        SELECT 1 FROM removal WHERE removal.node = node.id AND isHeld <> 0)
            )
            """, attempts, NSFileProviderErrorDomain, now)
        if isMoving == true { return nil }
        // Who waits for another one is not who is stuck.
        return try db.value(
            """
            SELECT id FROM node LEFT JOIN trouble ON trouble.node = node.id
            WHERE turn IS NOT NULL
            ORDER BY trouble.node IS NULL, waits IS NOT NULL AND waits > 0, turn LIMIT 1
            """)
    }
}
