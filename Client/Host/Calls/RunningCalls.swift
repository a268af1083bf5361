import Synchronization

/// Calls that the extension has not answered yet.
final class RunningCalls: Sendable {
    private struct State {
        var calls: [UInt64: any WatchedCall] = [:]
        var next: UInt64 = 0
    }

    private let state = Mutex(State())

    func add(_ call: any WatchedCall) -> UInt64 {
        state.withLock { state in
            state.next += 1
            state.calls[state.next] = call
            return state.next
        }
    }

    func remove(_ number: UInt64) {
        state.withLock { _ = $0.calls.removeValue(forKey: number) }
    }

    /// Nobody waits for any of them any more, in the order in which they were made.
    func giveUpAll(_ error: any Error) {
        let calls = state.withLock { $0.calls.sorted { $0.key < $1.key } }
        for (_, call) in calls { call.giveUp(error) }
    }
}
