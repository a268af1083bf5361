import BasketContent
import Synchronization

/// Items that this instance has made: the first version of each is what was on the disk. Of other items nobody
/// here needs to have seen the first version, whatever base a change of theirs bears.
final class OwnCreations: Sendable {
    private struct Creation {
        /// Whether what is on the disk is of the item's own making.
        var isOnDisk = true
        /// What was sent to it after it was made, by calls that asked for it once more.
        var sent: Set<ContentHash> = []
    }

    private struct State {
        var known: [String: Creation] = [:]
        /// The oldest first.
        var order: ArraySlice<String> = []
    }

    /// Changes that are based on a creation follow it soon.
    private static let mostKnown = 10_000

    private let state = Mutex(State())

    func contains(_ item: String) -> Bool {
        state.withLock { $0.known[item]?.isOnDisk ?? false }
    }

    func add(_ item: String) {
        state.withLock { state in
            state.known[item]?.isOnDisk = true
            guard state.known[item] == nil else { return }
            state.known[item] = Creation()
            state.order.append(item)
            if state.order.count > Self.mostKnown, let oldest = state.order.popFirst() {
                state.known[oldest] = nil
            }
        }
    }

    func note(sent content: ContentHash, to item: String) {
        state.withLock { _ = $0.known[item]?.sent.insert(content) }
    }

    func hasSentAny(to item: String) -> Bool {
        state.withLock { $0.known[item]?.sent.isEmpty == false }
    }

    func hasSent(_ content: ContentHash, to item: String) -> Bool {
        state.withLock { $0.known[item]?.sent.contains(content) ?? false }
    }

    /// What is on the disk is no longer of the item's own making. What was sent to it stays known: whoever did not write
    /// over that, and asks once more, must not do so then.
    func disown(_ item: String) {
        state.withLock { $0.known[item]?.isOnDisk = false }
    }
}
