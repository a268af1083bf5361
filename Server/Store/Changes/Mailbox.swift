import Synchronization

/// What one listener has not yet taken. Bounded, because events of one kind replace each other: a
/// burst of changes is one event, with the newest anchor.
final class Mailbox: Sendable {
    /// Locks are advice: of more than so many between two looks, the rest is not told. All other
    /// events always are; there are no more of them than domains and devices of one account.
    private static let lockLimit = 256

    private struct State {
        var events: [StoreEvent] = []
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    func put(_ event: StoreEvent) {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            switch event {
            case .changed(let domain, _):
                state.events.removeAll {
                    if case .changed(domain, _) = $0 { true } else { false }
                }
                state.events.append(event)
            case .locked where state.events.count >= Self.lockLimit: break
            default:
                if !state.events.contains(event) { state.events.append(event) }
            }
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }

    /// What has come since the last look; empty when nothing has.
    func take() -> [StoreEvent] {
        state.withLock { state in
            defer { state.events = [] }
            return state.events
        }
    }

    /// Returns when there is something to take, or when the task is cancelled.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    precondition(state.waiting == nil, "one task waits at a mailbox")
                    // Asked under the lock: a cancellation before it is seen here, one after it
                    // finds the continuation.
                    if !state.events.isEmpty || Task.isCancelled { return true }
                    state.waiting = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            endWait()
        }
    }

    private func endWait() {
        let waiting = state.withLock { state in
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }
}
