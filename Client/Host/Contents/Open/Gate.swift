import Synchronization

/// Lets many in at once, or one alone. Who is in does not stay long.
final class Gate: Sendable {
    fileprivate struct State {
        var inside = 0
        var isClosed = false
        var waiting: [CheckedContinuation<Void, Never>] = []
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
    func alone<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        while !close() { await change { $0.isClosed } }
        while state.withLock({ $0.inside > 0 }) { await change { $0.inside > 0 } }
        defer { open() }
        return try await body()
    }

    /// Returns once nobody is alone any more.
    func waitUntilOpen() async {
        while state.withLock({ $0.isClosed }) { await change { $0.isClosed } }
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
    private func change(while isSo: (State) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                guard isSo(state) else { return true }
                state.waiting.append(continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
    }
}

extension Gate.State {
    fileprivate mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
        defer { waiting = [] }
        return waiting
    }
}
