import BasketDatabase
import BasketSupport

// What is here, and for whom.
extension ReplicaReader {
    /// How many bytes of contents are here.
    package func bytesHere() throws -> Int64 {
        try db.value("SELECT here FROM replica") ?? 0
    }

    /// Contents that are here, the longest unused first.
    /// - Parameters:
    ///   - last: the last one that was given.
    ///   - mayGo: whether that is all that is asked for. Most of what the provider has not got is left out then.
    package func contentsHere(
        after last: ContentHere?, limit: Int, thatMayGo mayGo: Bool = false
    ) throws -> [ContentHere] {
        let condition =
            mayGo ? "AND (residence = 0 OR turn IS NULL AND excluded = 0 AND edit IS NULL)" : ""
        return try db.all(
            """
            SELECT id, here, opened FROM node
            WHERE here > 0 AND (opened, id) > (?, ?)
                \(condition)
            ORDER BY opened, id LIMIT ?
            """, last.map { $0.opened ?? .never } ?? Timestamp(nanoseconds: -1),
            last?.node ?? NodeID(rawValue: 0), limit
        ) { row throws(SQLiteError) in
            let opened: Timestamp = try row[2]
            return ContentHere(
                node: try row[0], bytes: try row[1],
                opened: opened == .never ? nil : opened)
        }
    }

    /// Who had the contents of one node brought here, the latest first.
    package func hydrations(of id: NodeID) throws -> [Hydration] {
        try db.all(
            """
            SELECT node, program, bytes, since, last FROM hydration
            WHERE node = ? ORDER BY last DESC, program LIMIT 100
            """, id, decode: Self.hydration)
    }

    private static func hydration(_ row: borrowing Row) throws(SQLiteError) -> Hydration {
        let program: String = try row[1]
        return Hydration(
            node: try row[0], program: program.isEmpty ? nil : program, bytes: try row[2],
            since: try row[3], last: try row[4])
    }

    /// Who had contents brought here, the latest first.
    /// - Parameter place: that of the last one that was given.
    package func hydrations(
        after place: Hydration.Place? = nil, limit: Int
    ) throws -> [Hydration] {
        try db.all(
            """
            SELECT node, program, bytes, since, last FROM hydration
            WHERE (last, node, program) < (?, ?, ?)
            ORDER BY last DESC, node DESC, program DESC LIMIT ?
            """, place?.last ?? Timestamp(nanoseconds: .max), place?.node ?? NodeID(rawValue: .max),
            place?.program ?? "", limit, decode: Self.hydration)
    }
}

extension ReplicaTransaction {
    /// So many are kept, the latest.
    private static let mostHydrations = 10_000

    /// Notes when files were last used.
    package func noteUse(_ uses: [NodeID: Timestamp]) throws {
        for (id, moment) in uses {
            try db.run("UPDATE node SET opened = max(opened, ?) WHERE id = ?", moment, id)
        }
    }

    /// Notes that bytes have come here.
    /// - Parameter program: who waited for them; nil for nobody.
    package func noteHydration(of id: NodeID, bytes: Int64, by program: String?) throws {
        try db.run(
            """
            INSERT INTO hydration (node, program, bytes, since, last)
            SELECT id, ?, ?, ?, ? FROM node WHERE id = ?
            ON CONFLICT (node, program) DO UPDATE SET bytes = bytes + excluded.bytes,
                last = excluded.last
            """, program ?? "", bytes, now, now, id)
    }

    /// Forgets who had contents brought here long ago, when there are very many.
    package func forgetHydrations() throws {
        try db.run(
            """
            DELETE FROM hydration WHERE last < (
                SELECT last FROM hydration ORDER BY last DESC LIMIT 1 OFFSET \(Self.mostHydrations)
            )
            """)
    }
}
