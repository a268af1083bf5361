import BasketContent
import Synchronization

/// Items that this instance has made: the first version of each is what was on the disk. Of other items nobody
/// here needs to have seen the first version, whatever base a change of theirs bears.
final class OwnCreations: Sendable {
    private struct State {
        /// With what was sent to each after it was made, by calls that asked for it once more.
        var known: [String: Set<ContentHash>] = [:]
        /// The oldest first.
        var order: ArraySlice<String> = []
    }

    /// Changes that are based on a creation follow it soon.
    private static let mostKnown = 10_000

    private let state = Mutex(State())

    func contains(_ item: String) -> Bool { state.withLock { $0.known[item] != nil } }

    func add(_ item: String) {
        state.withLock { state in
            guard state.known[item] == nil else { return }
            state.known[item] = []
            state.order.append(item)
            if state.order.count > Self.mostKnown, let oldest = state.order.popFirst() {
                state.known[oldest] = nil
            }
        }
    }

    func note(sent content: ContentHash, to item: String) {
        state.withLock { _ = $0.known[item]?.insert(content) }
    }

    func hasSentAny(to item: String) -> Bool {
        state.withLock { $0.known[item]?.isEmpty == false }
    }

    func hasSent(_ content: ContentHash, to item: String) -> Bool {
        state.withLock { $0.known[item]?.contains(content) ?? false }
    }

    /// What is on the disk is no longer of the item's own making.
    func remove(_ item: String) {
        state.withLock { state in
            guard state.known.removeValue(forKey: item) != nil else { return }
            state.order.removeAll { $0 == item }
        }
    }
}
