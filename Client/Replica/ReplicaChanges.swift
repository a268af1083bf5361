import Synchronization

/// Tells those who look at a replica that it has changed, once that is committed.
package final class ReplicaChanges: Sendable {
    /// A folder whose listing is another one now, a node that is, or a folder that has another date because of others.
    package enum Change: Sendable {
        /// With what it was, unless a program has changed it here.
        case node(NodeID, was: FormerNode?)
        case folder(NodeID)
        case date(NodeID)
    }

    private struct State {
        var count: UInt64 = 0
        var waiting: [(number: UInt64, continuation: CheckedContinuation<Void, Never>)] = []
        var next: UInt64 = 0
        var observer: (@Sendable (Change) -> Void)?
    }

    private let state = Mutex(State())

    package init() {}

    /// The mount is told what it has to forget.
    package func observe(_ observer: (@Sendable (Change) -> Void)?) {
        state.withLock { $0.observer = observer }
    }

    /// How often something has changed.
    package var count: UInt64 { state.withLock { $0.count } }

    /// Something else has changed for which others wait.
    package func poke() {
        tell([])
    }

    /// Something has changed, these among it. Who waits is woken once, however many they are.
    func tell(_ changes: [Change]) {
        let (observer, waiting) = state.withLock { state in
            state.count += 1
            defer { state.waiting = [] }
            return (state.observer, state.waiting)
        }
        for waiter in waiting { waiter.continuation.resume() }
        guard let observer else { return }
        for change in changes { observer(change) }
    }

    /// Returns when something has changed since that count, or when the task is cancelled.
    package func wait(since count: UInt64) async {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.count != count || Task.isCancelled { return true }
                    state.waiting.append((number, continuation))
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiting.firstIndex { $0.number == number }
                    .map { state.waiting.remove(at: $0) }
            }
            waiter?.continuation.resume()
        }
    }
}
