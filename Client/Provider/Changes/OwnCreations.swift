import Synchronization

/// Items that this instance has made: the first version of each is what was on the disk. Of other items nobody
/// here needs to have seen the first version, whatever base a change of theirs bears.
final class OwnCreations: Sendable {
    private struct State {
        var known: Set<String> = []
        /// The oldest first.
        var order: ArraySlice<String> = []
    }

    /// Changes that are based on a creation follow it soon.
    private static let mostKnown = 10_000

    private let state = Mutex(State())

    func contains(_ item: String) -> Bool { state.withLock { $0.known.contains(item) } }

    func add(_ item: String) {
        state.withLock { state in
            guard state.known.insert(item).inserted else { return }
            state.order.append(item)
            if state.order.count > Self.mostKnown, let oldest = state.order.popFirst() {
                state.known.remove(oldest)
            }
        }
    }

    /// What is on the disk is no longer of the item's own making.
    func remove(_ item: String) {
        state.withLock { state in
            guard state.known.remove(item) != nil else { return }
            state.order.removeAll { $0 == item }
        }
    }
}
