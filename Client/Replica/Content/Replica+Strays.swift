import BasketDatabase
import BasketSupport
import Synchronization

// Files that no node names.
extension Replica {
    /// Removes files that no node names: a crash came between a file and the row that was to name it. What has
    /// come since this replica was opened may be about to be named.
    package func removeStrays() async throws {
        let given = try read { try $0.lastFile() }
        var unknown: [Int64] = []
        for part in 0..<ContentFiles.folders {
            let numbers = try contents.numbers(inFolder: part)
            unknown += numbers.filter { $0 > given }
            for number in numbers where number <= lastFile {
                // What was named, and is not any more, goes when that is durable.
                let isKept = try read { try $0.isNamed(number) || $0.isDiscarded(number) }
                if !isKept { try contents.remove(number) }
            }
        }
        if !unknown.isEmpty { try await settle(unknown: unknown) }
    }

    /// What this database has never given a number. A power cut may have brought back what one before it had removed; but
    /// it may also be newer than this one, and tell what it is itself: then it comes back after the next start.
    private func settle(unknown numbers: [Int64]) async throws {
        let keepsNotes = try contents.keepsNotes()
        let marked = try numbers.map { number in
            (number, keepsNotes ? try contents.mark(at: number) : .unknown(number))
        }
        // A number is given, and that is durable, before there is a file; and those are given to nobody any more. Both at
        // once: of a number that was given, a file that no node names is nobody's.
        let doubt = hasCrashed.load(ordering: .relaxed) ? FoundContent.Doubt.unseen : .none
        for number in try await write({ try $0.close(marked, doubt) }) {
            try contents.remove(number)
        }
    }

    /// A file that was to be named, and is not.
    package func discardUnlessNamed(_ number: Int64) {
        // What cannot be removed now is a stray, which the next start removes. What was named goes when it is durable that it
        // is not any more.
        let isKept = (try? read { try $0.isNamed(number) || $0.isDiscarded(number) }) ?? true
        if !isKept { _ = try? contents.remove(number) }
    }
}

extension ReplicaReader {
    /// The last number that a file has got.
    func lastFile() throws -> Int64 {
        try db.value("SELECT files FROM replica") ?? 0
    }

    /// Whether a file is kept for anything.
    package func isNamed(_ file: Int64) throws -> Bool {
        try db.value(
            """
            SELECT 1 FROM node WHERE file = ?1 UNION ALL
            SELECT 1 FROM node WHERE basis = ?1 UNION ALL
            SELECT 1 FROM found WHERE file = ?1 UNION ALL
            SELECT 1 FROM arrival WHERE file = ?1 UNION ALL
            SELECT 1 FROM rescued WHERE file = ?1 UNION ALL
            SELECT 1 FROM predecessor WHERE former = ?1 LIMIT 1
            """, file, of: Int.self) != nil
    }
}
