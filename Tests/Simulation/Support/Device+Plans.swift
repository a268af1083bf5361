import BasketDatabase
import FileProviderReplica

extension Device {
    /// What may walk over all nodes, by a piece of its SQL.
    private static let bearable = [
        "WITH RECURSIVE": "looks for orphans, here in the simulation",
        "FROM node ORDER BY id": "gives everything, to those who look for a mistake",
        "FROM (SELECT 1 FROM node LIMIT ?)": "counts no further than it has to",
        "UPDATE node SET listed = 1": "ends the enumeration of everything",
    ]

    /// Statements that have run since it was switched on, and that walk over all nodes instead of finding theirs
    /// by an index.
    func walks() async throws -> [String] {
        let written = try await replica.write { $0.db.preparedSQL }
        return try replica.read { reader in
            let all = Set(reader.db.preparedSQL + written).sorted()
            return try all.filter { sql in
                guard !sql.hasPrefix("PRAGMA"), !Self.bearable.keys.contains(where: sql.contains)
                else { return false }
                return try reader.db.plan(of: sql).contains("SCAN node")
            }
        }
    }
}
