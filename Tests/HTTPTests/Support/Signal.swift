import Synchronization

/// Something that happens once, and that others wait for.
final class Signal: Sendable {
    private struct State {
        var hasHappened = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }
    private let state = Mutex(State())

    func happen() {
        let waiting = state.withLock { state in
            state.hasHappened = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns when it has happened, also for a task that is cancelled.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if !state.hasHappened { state.waiting.append(continuation) }
                return state.hasHappened
            }
            if isDone { continuation.resume() }
        }
    }
}

/// Waits until the task is cancelled.
func waitForCancellation() async {
    let cancelled = Signal()
    await withTaskCancellationHandler {
        await cancelled.wait()
    } onCancel: {
        cancelled.happen()
    }
}
