import Foundation

/// A database into which rows are committed, on a machine that may lose its power at any moment: each row that was said
/// to be committed is there afterwards, and the database is whole.
struct SafeDatabase: Sendable {
    /// Of SQLite's journal: removed, cut off, or a log beside the database.
    static let modes = ["delete", "truncate", "wal"]

    /// Commits rows until the folder is gone, and says which.
    private static let writer = """
        import sqlite3, sys
        base = sqlite3.connect(sys.argv[1], timeout=60, isolation_level=None)
        try:
            base.execute("pragma journal_mode=" + sys.argv[2])
            base.execute("pragma synchronous=extra")
            base.execute("create table if not exists line (number integer primary key, text)")
            number = base.execute("select coalesce(max(number), 0) from line").fetchone()[0]
            while True:
                number += 1
                base.execute("insert into line values (?, ?)", (number, "x" * (number * 37 % 5000)))
                print(number, flush=True)
        except (sqlite3.Error, OSError) as error: print(error, file=sys.stderr)
        """
    private static let reader = """
        import sqlite3, sys
        base = sqlite3.connect(sys.argv[1], timeout=60)
        print(base.execute("pragma integrity_check").fetchone()[0])
        print(base.execute("select case when max(number) = count(*) then count(*) else -1 end from line").fetchone()[0])
        """

    private let path: String
    private let mode: String

    init(mode: String, in folder: String) {
        path = folder + "/base-" + mode
        self.mode = mode
    }

    func start() throws -> ChildProcess {
        try ChildProcess("/usr/bin/python3", ["-c", Self.writer, path, mode])
    }

    /// What is wrong with what is there.
    /// - Parameter safe: how many rows it was said to have when the power was cut.
    func faults(safe: Int) throws -> [String] {
        let process = try ChildProcess("/usr/bin/python3", ["-c", Self.reader, path])
        process.wait()
        let said = process.output.text.split(separator: "\n")
        guard said.count == 2, said[0] == "ok", let rows = Int(said[1]), rows >= safe else {
            return ["\(mode), \(safe) rows: \(said) \(process.errors.text)"]
        }
        return []
    }
}
