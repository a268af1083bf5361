import Synchronization

/// Which content files must not be removed now. A process that dies has none.
final class ContentHolds: Sendable {
    private let counts = Mutex<[Int64: Int]>([:])

    func add(_ file: Int64) {
        counts.withLock { $0[file, default: 0] += 1 }
    }

    func release(_ file: Int64) {
        counts.withLock { counts in
            guard let count = counts[file] else { return }
            counts[file] = count > 1 ? count - 1 : nil
        }
    }

    /// Nobody gets hold of the file while it is being removed.
    /// - Returns: false when somebody has it.
    func unlessHeld<Failure: Error>(
        _ file: Int64, _ remove: () throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        try counts.withLock { counts throws(Failure) in
            guard counts[file] == nil else { return false }
            try remove()
            return true
        }
    }
}
