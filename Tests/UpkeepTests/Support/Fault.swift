import BasketDatabase
import BasketSupport
import Synchronization

/// One failure, somewhere: of a call to the file system, or of a change of a row. What comes after it
/// works again.
final class Fault: Sendable {
    /// What fails.
    enum Kind: CaseIterable {
        case files, commits
        /// The statement fails, and what it has done so far is undone.
        case rows
        /// SQLite undoes the whole transaction, as it does when the disk is full.
        case transactions
    }

    private let kind: Kind
    private let left: Mutex<Int>
    private let happened = Mutex(false)
    private let begun = Mutex(false)
    private let armed = Mutex(false)

    /// - Parameter place: how many of the kind work before one fails.
    init(_ kind: Kind, after place: Int) {
        self.kind = kind
        left = Mutex(place)
    }

    var hasHappened: Bool { happened.withLock { $0 } }

    func step(_ kind: Kind) -> Bool {
        guard kind == self.kind, begun.withLock({ $0 }), !hasHappened else { return false }
        let isNow = left.withLock { left in
            left -= 1
            return left < 0
        }
        if isNow { happen() }
        return isNow
    }

    /// Counting begins now.
    func begin() {
        begun.withLock { $0 = true }
    }

    /// From now on nothing fails.
    func end() {
        begun.withLock { $0 = false }
    }

    private func happen() {
        happened.withLock { $0 = true }
    }

    // MARK: Rows

    private static let tables = [
        "account", "blob", "chunk", "content", "content_chunk", "discarded_blob", "domain", "item",
        "removed_xattr", "server", "thumbnail", "version", "xattr",
    ]

    /// Has changes of rows counted by the database itself, where they happen. Once is enough.
    func arm(_ db: Connection) throws {
        guard kind == .rows || kind == .transactions else { return }
        guard begun.withLock({ $0 }) else {
            if armed.withLock({ $0 }) { try spare(db) }
            return
        }
        guard
            armed.withLock({ armed in
                defer { armed = true }
                return !armed
            })
        else { return }
        try db.execute("CREATE TEMP TABLE countdown (left INTEGER)")
        try db.run("INSERT INTO temp.countdown VALUES (?)", left.withLock { $0 })
        let failure = kind == .rows ? "ABORT" : "ROLLBACK"
        for table in Self.tables {
            for change in ["INSERT", "UPDATE", "DELETE"] {
                try db.execute(
                    """
                    CREATE TEMP TRIGGER fault_\(table)_\(change) BEFORE \(change) ON main.\(table)
                    BEGIN
                        SELECT RAISE(\(failure), 'this one fails') FROM countdown WHERE left <= 0;
                        UPDATE countdown SET left = left - 1;
                    END
                    """)
            }
        }
    }

    /// Called after a transaction failed: what was counted in it was undone with it.
    func noteFailure(_ error: any Error, _ db: Connection) throws {
        guard let error = error as? SQLiteError, error.message.contains("this one fails") else {
            return
        }
        happen()
        try spare(db)
    }

    /// No row fails from now on.
    private func spare(_ db: Connection) throws {
        try db.execute("UPDATE temp.countdown SET left = 1000000000")
    }
}
