import BasketDatabase

/// Holds the rows of one snapshot against each other. Everything is read in the order in which it
/// lies, or looked up by an index, so that millions of rows need no memory.
final class RowCheck {
    let db: Connection
    var findings = FindingList()
    /// Domains are few; what their items add up to is counted on the way.
    var domains: [Int64: DomainTally] = [:]
    /// The largest number that was ever given, as far as rows tell.
    var largestNumber: Int64 = 0

    init(_ db: Connection) {
        self.db = db
    }

    func run(_ progress: (CheckStage) -> Void) throws -> [Finding] {
        let stages: [(CheckStage, () throws -> Void)] = [
            (.database, checkDatabase), (.references, checkReferences),
            (.contents, checkContents), (.chunks, checkChunks), (.items, checkItems),
            (.tree, checkTree), (.domains, checkDomains), (.search, checkSearch),
        ]
        for (stage, check) in stages {
            progress(stage)
            do {
                try check()
            } catch let error as SQLiteError where error.isCorrupt {
                // What is left can still tell something.
                findings.add(.database("\(stage.rawValue): \(error.message)"))
            }
        }
        return findings.all
    }

    private func checkDatabase() throws {
        let told: [String] = try db.all("PRAGMA integrity_check(100)") {
            row throws(SQLiteError) in try row[0]
        }
        for text in told where text != "ok" { findings.add(.database(text)) }
    }

    private func checkReferences() throws {
        try db.each("PRAGMA foreign_key_check") { row throws(SQLiteError) in
            findings.add(
                .brokenReference(table: try row[0], row: try row[1], to: try row[2]))
            return true
        }
    }
}
