import BasketSupport
import Synchronization

/// Lets everything fail from some operation on, as if the process had died there.
final class Mishap: Sendable {
    private let left = Mutex<Int?>(nil)

    func happen(after operations: Int) {
        left.withLock { $0 = operations }
    }

    /// Everything works again.
    func cease() {
        left.withLock { $0 = nil }
    }

    /// Whether it happened.
    var hasHappened: Bool { left.withLock { $0.map { $0 < 0 } ?? false } }

    func step() throws(FileError) {
        let isDead = left.withLock { left in
            guard let count = left else { return false }
            left = count - 1 < 0 ? -1 : count - 1
            return count <= 0
        }
        if isDead { throw FileError("reach", "the disk", code: 5) }
    }
}
