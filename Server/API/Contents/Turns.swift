import Synchronization

/// Lets so many work at once and no more; the others wait in the order in which they came. Who has much
/// to do gives its turn back now and then, so that everybody gets on.
final class Turns: Sendable {
    private struct State {
        var free: Int
        var next: UInt64 = 0
        var waiting: [(number: UInt64, continuation: CheckedContinuation<Void, any Error>)] = []
    }

    private let state: Mutex<State>

    init(_ count: Int) {
        state = Mutex(State(free: count))
    }

    /// Does the work when it is its turn. Throws without having done it when the task is cancelled.
    func take<Result>(_ work: () async throws -> Result) async throws -> Result {
        try await wait()
        defer { giveBack() }
        return try await work()
    }

    private func wait() async throws {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Swift.Result<Void, any Error>? = state.withLock { state in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    guard state.free == 0 else {
                        state.free -= 1
                        return .success(())
                    }
                    state.waiting.append((number, continuation))
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let waiting = state.withLock { state in
                state.waiting.firstIndex { $0.number == number }.map {
                    state.waiting.remove(at: $0)
                }
            }
            waiting?.continuation.resume(throwing: CancellationError())
        }
    }

    /// The turn goes to who waits longest, not back to who comes just then.
    private func giveBack() {
        let next = state.withLock { state in
            if state.waiting.isEmpty {
                state.free += 1
                return CheckedContinuation<Void, any Error>?.none
            }
            return state.waiting.removeFirst().continuation
        }
        next?.resume()
    }
}
