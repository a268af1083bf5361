import Synchronization

/// How often the system was told something of items: an answer that is kept longer than that may be older than what
/// the system knows.
final class NewsCount: Sendable {
    private let count = Atomic<Int>(0)

    /// Before it is told.
    func note() {
        count.wrappingAdd(1, ordering: .sequentiallyConsistent)
    }

    var now: Int { count.load(ordering: .sequentiallyConsistent) }
}
