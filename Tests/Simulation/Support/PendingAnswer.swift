import Synchronization

/// What somebody waits for who may be left alone with it.
final class PendingAnswer<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Value?, Never>)
        case over(Value?)
    }

    private let state = Mutex(State.open)

    /// - Parameter value: nil for what never comes. What comes later than anything else changes nothing.
    func end(with value: Value?) {
        let waiting = state.withLock { state -> CheckedContinuation<Value?, Never>? in
            switch state {
            case .open:
                state = .over(value)
                return nil
            case .awaited(let continuation):
                state = .over(value)
                return continuation
            case .over: return nil
            }
        }
        waiting?.resume(returning: value)
    }

    /// What came; nil when it never does, or when nobody waits any more.
    func value() async -> Value? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let known: Value?? = state.withLock { state in
                    if case .over(let value) = state { return .some(value) }
                    state = .awaited(continuation)
                    return nil
                }
                if let known { continuation.resume(returning: known) }
            }
        } onCancel: {
            end(with: nil)
        }
    }
}
