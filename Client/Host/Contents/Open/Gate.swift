import Synchronization

/// Lets many in at once, or one alone. Who is in does not stay long.
final class Gate: Sendable {
    fileprivate struct State {
        var inside = 0
        var isClosed = false
        var waiting: [(number: UInt64, continuation: CheckedContinuation<Void, any Error>)] = []
        var last: UInt64 = 0
    }

    private let state = Mutex(State())

    /// - Returns: false while somebody is alone, or is about to be.
    func enter() -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.inside += 1
            return true
        }
    }

    func leave() {
        let waiting = state.withLock { state in
            state.inside -= 1
            return state.inside == 0 ? state.takeWaiting() : []
        }
        for waiter in waiting { waiter.resume() }
    }

    /// Does something while nobody else is inside.
    /// - Parameter isCancellable: whether who is cancelled while he waits does nothing.
    func alone<Result>(
        isCancellable: Bool = true, _ body: () async throws -> Result
    ) async throws -> Result {
        while !close() { try await change(isCancellable) { $0.isClosed } }
        defer { open() }
        while state.withLock({ $0.inside > 0 }) {
            try await change(isCancellable) { $0.inside > 0 }
        }
        return try await body()
    }

    /// Returns once nobody is alone any more.
    func waitUntilOpen() async throws {
        while state.withLock({ $0.isClosed }) { try await change(true) { $0.isClosed } }
    }

    private func close() -> Bool {
        state.withLock { state in
            if state.isClosed { return false }
            state.isClosed = true
            return true
        }
    }

    private func open() {
        let waiting = state.withLock { state in
            state.isClosed = false
            return state.takeWaiting()
        }
        for waiter in waiting { waiter.resume() }
    }

    /// Returns when something has changed, at once unless it is still so.
    private func change(
        _ isCancellable: Bool, while isSo: (State) -> Bool
    ) async throws {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Result<Void, any Error>? = state.withLock { state in
                    if isCancellable, Task.isCancelled { return .failure(CancellationError()) }
                    guard isSo(state) else { return .success(()) }
                    state.waiting.append((number, continuation))
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            guard isCancellable else { return }
            let waiter = state.withLock { state in
                state.waiting.firstIndex { $0.number == number }.map {
                    state.waiting.remove(at: $0)
                }
            }
            waiter?.continuation.resume(throwing: CancellationError())
        }
    }
}

extension Gate.State {
    fileprivate mutating func takeWaiting() -> [CheckedContinuation<Void, any Error>] {
        defer { waiting = [] }
        return waiting.map(\.continuation)
    }
}
