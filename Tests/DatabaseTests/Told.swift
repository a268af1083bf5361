import Synchronization

/// Remembers what it was told, from any thread.
final class Told: Sendable {
    private let words = Mutex<[String]>([])

    func add(_ word: String) {
        words.withLock { $0.append(word) }
    }

    var all: [String] {
        words.withLock { $0 }
    }
}
